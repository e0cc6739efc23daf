import { Select } from '@mantine/core';
import { CollapsibleFilters } from '../../parts/collapsible-filters';
import { KeySelect } from '../../parts/key-select';
import { SearchField } from '../../parts/search-field';
import { TeamSelect } from '../../parts/team-select';
import { useSearchState } from '../../parts/use-search-state';
import { MEASURES, MODES, SCOPES } from './limit-words.data';
import { FILTERS, orderOf, ORDERS } from './use-limit-list';

const choice = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));
const MODE_CHOICE = MODES.map(({ value, label }) => ({ value, label }));
const TAG_MAX = 64;

export function LimitsFilters() {
  const { get, set } = useSearchState();
  return (
    <CollapsibleFilters label="Filter budgets" names={FILTERS}>
      <Filter name="scope" label="Scope" data={choice(SCOPES)} />
      <Filter name="measure" label="Measure" data={choice(MEASURES)} />
      <Filter name="mode" label="Mode" data={MODE_CHOICE} />
      <TeamSelect size="xs" w={160} value={get('team_id')} onChange={(id) => set({ team_id: id })} />
      <KeySelect value={get('applies_to_key')} onChange={(id) => set({ applies_to_key: id })} />
      <SearchField name="tag" label="Tag" placeholder="Exact tag" maxLength={TAG_MAX} basis={120} />
      <Select
        label="Order"
        size="xs"
        w={150}
        allowDeselect={false}
        data={[...ORDERS]}
        value={orderOf(get('sort'))}
        onChange={(sort) => set({ sort: sort === ORDERS[0].value ? null : sort })}
      />
    </CollapsibleFilters>
  );
}

interface FilterProps {
  readonly name: (typeof FILTERS)[number];
  readonly label: string;
  readonly data: readonly { readonly value: string; readonly label: string }[];
}

function Filter({ name, label, data }: FilterProps) {
  const { get, set } = useSearchState();
  return (
    <Select
      label={label}
      size="xs"
      w={150}
      placeholder="Any"
      clearable
      clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
      data={[...data]}
      value={get(name)}
      onChange={(value) => set({ [name]: value })}
    />
  );
}
