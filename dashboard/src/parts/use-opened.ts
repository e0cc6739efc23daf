import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

const NAME = 'show';

/** Keeps the open row of a list in the URL. Closing it goes back in the history, so that Back does not open it again. */
export function useOpened() {
  const { search, ...location } = useLocation();
  const state: unknown = location.state;
  const navigate = useNavigate();
  const params = new URLSearchParams(search);
  const id = params.get(NAME);
  function open(next: string): void {
    params.set(NAME, next);
    void navigate({ search: params.toString() }, { state: { opened: true }, replace: id !== null });
  }
  function close(): void {
    if ((state as { opened?: boolean } | null)?.opened === true) {
      void navigate(-1);
      return;
    }
    params.delete(NAME);
    void navigate({ search: params.toString() }, { replace: true });
  }
  return { id, open, close };
}

export function useLatest<T>(value: T | null): T | null {
  const [latest, setLatest] = useState(value);
  if (value !== null && value !== latest) setLatest(value);
  return value ?? latest;
}
