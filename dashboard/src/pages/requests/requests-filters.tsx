import { Autocomplete, NativeSelect } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ENDPOINTS } from '../../api/endpoints.data';
import { ERROR_WORDS } from '../../api/error-words.data';
import { CollapsibleFilters } from '../../parts/collapsible-filters';
import { KeySelect } from '../../parts/key-select';
import { ModelField } from '../../parts/model-field';
import { TeamSelect } from '../../parts/team-select';
import { TimeFilters } from '../../parts/time-filters';
import { useSearchState } from '../../parts/use-search-state';
import { FILTERS } from './use-request-list';

const STATUSES = ['error', '4xx', '5xx', '429', '200', '400', '401', '403', '404', '408', '413', '499', '502', '503'];
const ERROR_CODES = Object.keys(ERROR_WORDS);
const ORDERS = [
  { value: 'time', label: 'Newest first' },
  { value: 'latency', label: 'Slowest first' },
  { value: 'cost', label: 'Most expensive first' },
];

export function RequestsFilters() {
  const { get, set } = useSearchState();
  return (
    <CollapsibleFilters label="Filter requests" names={FILTERS}>
      <Choice label="Status" anything="Any status" name="status" offered={STATUSES} width={110} />
      <Choice label="Error code" anything="Any error code" name="error_code" offered={ERROR_CODES} width={210} />
      <KeySelect value={get('key_id')} onChange={(key_id) => set({ key_id })} />
      <TeamSelect size="xs" w={170} value={get('team_id')} onChange={(team_id) => set({ team_id })} />
      <Choice label="Tag" anything="Any tag" name="tag" width={120} />
      <ModelField value={get('model')} onChange={(model) => set({ model })} />
      <Choice label="Endpoint" anything="All endpoints" name="endpoint" offered={ENDPOINTS} width={230} />
      <Choice label="Upstream" anything="All upstreams" name="upstream" width={130} />
      <Choice
        label="Min. latency (ms)"
        anything="Any latency"
        name="latency_min_ms"
        offered={['1000', '5000', '30000']}
        width={130}
      />
      <Choice
        label="Min. cost ($)"
        anything="Any cost"
        name="cost_min"
        offered={['0.01', '0.10', '1.00']}
        width={120}
      />
      <Choice label="Request ID begins with" anything="Any request ID" name="id" width={170} />
      <TimeFilters />
      <NativeSelect
        label="Order"
        size="xs"
        data={ORDERS}
        value={get('sort') ?? 'time'}
        onChange={({ currentTarget: { value } }) => set({ sort: value === 'time' ? null : value })}
      />
    </CollapsibleFilters>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly anything: string;
  readonly name: (typeof FILTERS)[number];
  readonly offered?: readonly string[];
  readonly width: number;
}

function Choice({ label, anything, name, offered = [], width }: ChoiceProps) {
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
