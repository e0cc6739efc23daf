import { Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useSearchState } from './use-search-state';
import { isoOf, localOf } from './local-time';

const PAUSE_MS = 600;
const HOUR_MS = 3_600_000;
const LAST = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
  { value: '720', label: 'Last 30 days' },
];
const ANY = 'any';
const OWN = 'own';

/** Filters by `since` and `until`. The URL contains absolute times, so that a link keeps showing the same rows. */
export function TimeFilters() {
  const { get, set } = useSearchState();
  const [since, until] = [get('since'), get('until')];
  const whole = since === null && until === null;
  function choose(value: string | null): void {
    if (value === OWN || value === null) return;
    const from = value === ANY ? null : new Date(Date.now() - Number(value) * HOUR_MS).toISOString();
    set({ since: from, until: null });
  }
  return (
    <>
      <Select
        label="Time"
        size="xs"
        w={140}
        allowDeselect={false}
        data={[{ value: ANY, label: 'Any time' }, ...LAST, ...(whole ? [] : [{ value: OWN, label: 'Custom' }])]}
        value={whole ? ANY : OWN}
        onChange={choose}
      />
      <Moment name="since" label="From" />
      <Moment name="until" label="Until" />
    </>
  );
}

function Moment({ name, label }: { readonly name: 'since' | 'until'; readonly label: string }) {
  const { get, set } = useSearchState();
  const asked = get(name) ?? '';
  const [text, setText] = useState(localOf(asked));
  useEffect(() => setText(localOf(asked)), [asked]);
  const send = useDebouncedCallback((local: string) => {
    if (local === '') set({ [name]: null });
    else if (isWhole(local)) set({ [name]: isoOf(local) });
  }, PAUSE_MS);
  return (
    <TextInput
      label={label}
      type="datetime-local"
      size="xs"
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
    />
  );
}

/** A year is typed digit by digit, so early values are incomplete. */
function isWhole(local: string): boolean {
  const year = new Date(local).getFullYear();
  return year >= 2000 && year <= 9999;
}
