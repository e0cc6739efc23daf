import { Select, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useSearchState } from '../../parts/use-search-state';
import { CollapsibleFilters } from '../../parts/collapsible-filters';
import { TimeFilters } from '../../parts/time-filters';
import { ACTION_GROUPS, ACTORS } from './audit-filter.data';
import { FILTERS } from './use-audit-list';

const ACTOR_CHOICE = Object.entries(ACTORS).map(([value, label]) => ({ value, label }));

export function AuditFilters() {
  const { get, set } = useSearchState();
  return (
    <CollapsibleFilters label="Filter the audit log" names={FILTERS}>
      <Select
        label="Action"
        placeholder="All actions"
        size="xs"
        w={210}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'All actions' }}
        data={ACTION_GROUPS}
        value={get('action')}
        onChange={(action) => set({ action })}
      />
      <Select
        label="Actor"
        placeholder="Any actor"
        size="xs"
        w={160}
        clearable
        clearButtonProps={{ 'aria-label': 'Any actor' }}
        data={ACTOR_CHOICE}
        value={get('actor_type')}
        onChange={(actor_type) => set({ actor_type })}
      />
      <IdField name="target_id" label="Target" placeholder="Key ID, model ID …" maxLength={400} />
      <IdField name="request_id" label="Request ID" placeholder="X-Request-Id" maxLength={200} />
      <TimeFilters />
    </CollapsibleFilters>
  );
}

interface IdFieldProps {
  readonly name: (typeof FILTERS)[number];
  readonly label: string;
  readonly placeholder: string;
  readonly maxLength: number;
}

/** Applies the filter on blur or Enter, because the API matches only complete IDs. */
function IdField({ name, ...field }: IdFieldProps) {
  const { get, set } = useSearchState();
  const asked = get(name) ?? '';
  const [typed, setTyped] = useState(asked);
  useEffect(() => setTyped(asked), [asked]);
  function take(): void {
    if (typed.trim() !== asked) set({ [name]: typed.trim() });
  }
  return (
    <TextInput
      {...field}
      size="xs"
      w={260}
      maw="100%"
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take();
      }}
    />
  );
}
