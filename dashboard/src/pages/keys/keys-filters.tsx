import { Select, TextInput } from '@mantine/core';
import { SearchField } from '../../parts/search-field';
import { TeamSelect } from '../../parts/team-select';
import { useSearchState } from '../../parts/use-search-state';
import { CollapsibleFilters } from '../../parts/collapsible-filters';
import { FILTERS } from './use-key-list';

const STATES = [
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'revoked', label: 'Revoked' },
  { value: 'expired', label: 'Expired' },
];

export function KeysFilters() {
  const { get, set } = useSearchState();
  return (
    <CollapsibleFilters label="Filter keys" names={FILTERS}>
      <SearchField name="name" placeholder="Name or ID" maxLength={255} basis={200} />
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
      <TeamSelect size="xs" w={160} value={get('team_id')} onChange={(id) => set({ team_id: id })} />
      <SearchField name="tag" label="Tag" placeholder="Exact tag" maxLength={64} basis={120} />
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
    </CollapsibleFilters>
  );
}
