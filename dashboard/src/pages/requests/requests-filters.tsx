import { Autocomplete } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useSearchState } from '../../parts/use-search-state';
import { ModelField } from '../../parts/model-field';
import { KeySelect } from '../../parts/key-select';
import { ENDPOINTS } from '../../api/endpoints.data';
import { CollapsibleFilters } from '../../parts/collapsible-filters';
import { TimeFilters } from '../../parts/time-filters';
import { FILTERS } from './use-request-list';

const STATUSES = ['200', '400', '401', '403', '404', '408', '413', '429', '499', '500', '502', '503'];

export function RequestsFilters() {
  const { get, set } = useSearchState();
  return (
    <CollapsibleFilters label="Filter requests" names={FILTERS}>
      <KeySelect value={get('key_id')} onChange={(key_id) => set({ key_id })} />
      <ModelField value={get('model')} onChange={(model) => set({ model })} />
      <Choice label="Endpoint" anything="All endpoints" name="endpoint" offered={ENDPOINTS} width={230} />
      <Choice label="Status" anything="Any status" name="status" offered={STATUSES} width={120} />
      <TimeFilters />
    </CollapsibleFilters>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly anything: string;
  readonly name: 'endpoint' | 'status';
  readonly offered: readonly string[];
  readonly width: number;
}

function Choice({ label, anything, name, offered, width }: ChoiceProps) {
  const { get, set } = useSearchState();
  const asked = get(name) ?? '';
  const [typed, setTyped] = useState(asked);
  useEffect(() => setTyped(asked), [asked]);
  function take(value: string): void {
    if (value.trim() !== asked) set({ [name]: value.trim() });
  }
  return (
    <Autocomplete
      label={label}
      placeholder={anything}
      size="xs"
      w={width}
      maw="100%"
      maxLength={200}
      data={[...offered]}
      clearable
      clearButtonProps={{ 'aria-label': anything }}
      value={typed}
      onChange={setTyped}
      onClear={() => take('')}
      onOptionSubmit={take}
      onBlur={() => take(typed)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take(typed);
      }}
    />
  );
}
