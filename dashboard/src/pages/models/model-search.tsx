import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useSearchState } from '../../parts/use-search-state';

const PAUSE_MS = 300;

/** Asks the gateway when the typing pauses. */
export function ModelSearch() {
  const { get, set } = useSearchState();
  const asked = get('search') ?? '';
  const [text, setText] = useState(asked);
  const sent = useRef(asked);
  const send = useDebouncedCallback((search: string) => {
    sent.current = search;
    set({ search });
  }, PAUSE_MS);
  // Back, forward or a cleared filter; what was sent from here may have been typed on since.
  useEffect(() => {
    if (asked === sent.current) return;
    sent.current = asked;
    setText(asked);
  }, [asked]);
  return (
    <TextInput
      label="Search"
      type="search"
      placeholder="Part of the id"
      size="xs"
      maxLength={200}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value.trim());
      }}
      style={{ flex: '1 1 220px' }}
      maw={360}
    />
  );
}
