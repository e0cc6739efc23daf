import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useSearchState } from './use-search-state';

const PAUSE_MS = 300;

interface Props {
  /** Of the parameter in the address bar. */
  readonly name: string;
  readonly placeholder: string;
  readonly maxLength: number;
  /** As wide as this before it grows, in px. */
  readonly basis: number;
}

/** Asks the gateway when the typing pauses. */
export function SearchField({ name, placeholder, maxLength, basis }: Props) {
  const { get, set } = useSearchState();
  const asked = get(name) ?? '';
  const [text, setText] = useState(asked);
  const sent = useRef(asked);
  const send = useDebouncedCallback((typed: string) => {
    sent.current = typed;
    set({ [name]: typed });
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
      size="xs"
      placeholder={placeholder}
      maxLength={maxLength}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value.trim());
      }}
      style={{ flex: `1 1 ${basis}px` }}
      maw={360}
    />
  );
}
