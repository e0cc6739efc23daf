import { Select } from '@mantine/core';
import { useSearchState } from '../../parts/use-search-state';
import { SearchField } from '../../parts/search-field';
import { CollapsibleFilters } from '../../parts/collapsible-filters';
import { AVAILABILITIES, CATEGORIES } from './availability.data';
import { FILTERS } from './use-model-list';

const AVAILABILITY_CHOICE = Object.entries(AVAILABILITIES).map(([value, { label }]) => ({ value, label }));
const CATEGORY_CHOICE = Object.entries(CATEGORIES).map(([value, label]) => ({ value, label }));
const POLICY_CHOICE = [
  { value: 'true', label: 'Allowed' },
  { value: 'false', label: 'Blocked' },
];

export function ModelsFilters() {
  return (
    <CollapsibleFilters label="Filter models" names={FILTERS}>
      <SearchField name="search" placeholder="Part of the ID" maxLength={200} basis={220} />
      <Choice name="availability" label="Availability" data={AVAILABILITY_CHOICE} width={170} />
      <Choice name="category" label="Category" data={CATEGORY_CHOICE} width={150} />
      <Choice name="enabled" label="Policy" data={POLICY_CHOICE} width={130} />
    </CollapsibleFilters>
  );
}

interface ChoiceProps {
  readonly name: (typeof FILTERS)[number];
  readonly label: string;
  readonly data: readonly { readonly value: string; readonly label: string }[];
  readonly width: number;
}

function Choice({ name, label, data, width }: ChoiceProps) {
  const { get, set } = useSearchState();
  return (
    <Select
      label={label}
      placeholder="Any"
      size="xs"
      data={data}
      value={get(name)}
      onChange={(value) => set({ [name]: value })}
      clearable
      clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
      w={width}
    />
  );
}
