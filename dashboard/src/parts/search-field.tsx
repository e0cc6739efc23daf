import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useSearchState } from './use-search-state';

const PAUSE_MS = 300;

interface Props {
  readonly name: string;
  readonly label?: string;
  readonly placeholder: string;
  readonly maxLength: number;
  /** The initial width in pixels, before the field grows. */
  readonly basis: number;
}

export function SearchField({ name, label = 'Search', placeholder, maxLength, basis }: Props) {
  const { get, set } = useSearchState();
  const asked = get(name) ?? '';
  const [text, setText] = useState(asked);
  const sent = useRef(asked);
  const send = useDebouncedCallback((typed: string) => {
    sent.current = typed;
    set({ [name]: typed });
  }, PAUSE_MS);
  // This follows Back, Forward and a cleared filter. It ignores the field's own search, because the text might have changed
  // since.
  useEffect(() => {
    if (asked === sent.current) return;
    sent.current = asked;
    setText(asked);
  }, [asked]);
  return (
    <TextInput
      label={label}
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
