import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

const NAME = 'show';

/**
 * Which row of a list is open beside it, kept in the address bar: the back button closes it, and a reload leaves it open.
 * Closing it from here goes back as well, so that no step of the history opens it again.
 */
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

/** The last value that was not null. */
export function useLatest<T>(value: T | null): T | null {
  const [latest, setLatest] = useState(value);
  if (value !== null && value !== latest) setLatest(value);
  return value ?? latest;
}
