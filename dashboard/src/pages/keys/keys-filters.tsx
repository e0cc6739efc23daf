import { Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useSearchState } from '../../parts/use-search-state';
import { FilterFold } from '../../parts/filter-fold';
import { FILTERS } from './use-key-list';

const PAUSE_MS = 300;
const STATES = [
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'revoked', label: 'Revoked' },
  { value: 'expired', label: 'Expired' },
];

/** What the list is narrowed by. */
export function KeysFilters() {
  const { get, set } = useSearchState();
  return (
    <FilterFold label="Filter keys" names={FILTERS}>
      <NameSearch />
      <Select
        label="Status"
        size="xs"
        placeholder="Any"
        data={STATES}
        value={get('status')}
        onChange={(status) => set({ status })}
        clearable
        clearButtonProps={{ 'aria-label': 'Any status' }}
        w={150}
      />
      <TextInput
        label="Created from"
        type="date"
        size="xs"
        value={get('since') ?? ''}
        onChange={(event) => set({ since: event.currentTarget.value })}
      />
      <TextInput
        label="Created until"
        type="date"
        size="xs"
        value={get('until') ?? ''}
        onChange={(event) => set({ until: event.currentTarget.value })}
      />
    </FilterFold>
  );
}

/** Asks the gateway when the typing pauses. */
function NameSearch() {
  const { get, set } = useSearchState();
  const asked = get('name') ?? '';
  const [text, setText] = useState(asked);
  const sent = useRef(asked);
  const send = useDebouncedCallback((name: string) => {
    sent.current = name;
    set({ name });
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
      placeholder="Name or id"
      maxLength={255}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value.trim());
      }}
      style={{ flex: '1 1 200px' }}
      maw={360}
    />
  );
}
