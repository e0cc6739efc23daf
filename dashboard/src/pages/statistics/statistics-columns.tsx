import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { MarkedAmount } from '../../parts/amount';
import { Figure } from '../../parts/chart-figure';
import { ChartShare } from '../../parts/chart-share';
import { clamped } from '../../parts/clamped';
import type { Column } from '../../parts/data-table';
import { compact, count, latency, percent } from '../../parts/numbers';
import { linkWith, momentsOf } from '../../parts/period';
import type { EndpointRow, KeyRow, ModelRow, Question } from './statistics-query';
import { TopModels } from './top-models';

type Counts = Omit<EndpointRow, 'endpoint' | 'client_error_count' | 'server_error_count'>;
type Tokens = Pick<KeyRow, 'input_tokens' | 'output_tokens' | 'total_tokens'>;
type Asked = Pick<Question<string>, 'period' | 'keyId' | 'model'>;

export const endpointColumns = ({ period, keyId, model }: Asked): readonly Column<EndpointRow>[] => [
  {
    header: 'Endpoint',
    cell: ({ endpoint }) => (
      <Anchor
        component={Link}
        to={requestsWith({ endpoint, key_id: keyId, model, ...momentsOf(period) })}
        inherit
        display="block"
        miw={150}
        style={{ overflowWrap: 'anywhere' }}
      >
        {endpoint}
      </Anchor>
    ),
    csv: ({ endpoint }) => endpoint,
  },
  ...countColumns<EndpointRow>(),
  figure('4xx', ({ client_error_count }) => client_error_count, count),
  figure('5xx', ({ server_error_count }) => server_error_count, count),
];

export const keyColumns = (): readonly Column<KeyRow>[] => [
  {
    header: 'Key',
    cell: ({ key_id, key_name }) =>
      key_name === null ? (
        `${key_id} (unknown)`
      ) : (
        <Anchor component={Link} to={`/keys/${key_id}`} inherit miw={140} {...clamped(key_name)}>
          {key_name}
        </Anchor>
      ),
    csv: ({ key_name, key_id }) => key_name ?? key_id,
  },
  ...countColumns<KeyRow>(),
  ...tokenColumns<KeyRow>(),
  {
    header: 'Top models',
    cell: ({ top_models }) => <TopModels models={top_models} />,
    csv: ({ top_models }) => top_models.map(({ model, count: times }) => `${model} ${times}`).join(', '),
  },
];

export const modelColumns = ({ period, keyId }: Asked): readonly Column<ModelRow>[] => [
  {
    header: 'Model',
    cell: ({ model }) => (
      <Anchor
        component={Link}
        to={linkWith('/statistics', period, { tab: 'keys', model, key_id: keyId })}
        inherit
        display="block"
        miw={140}
        style={{ overflowWrap: 'anywhere' }}
        title={`Keys that use ${model}`}
      >
        {model}
      </Anchor>
    ),
    csv: ({ model }) => model,
  },
  ...countColumns<ModelRow>(),
  ...tokenColumns<ModelRow>(),
];

function countColumns<T extends Counts>(): Column<T>[] {
  return [
    { ...figure<T>('Requests', ({ request_count }) => request_count, count), sort: 'request_count' },
    { ...figure<T>('Errors', ({ error_count }) => error_count, count), sort: 'error_count' },
    { ...figure<T>('Error rate', ({ error_rate }) => error_rate, percent), cell: (row) => <ErrorRate {...row} /> },
    {
      header: 'Cost',
      sort: 'cost',
      align: 'right',
      cell: ({ cost, unpriced_requests }) => <MarkedAmount cost={cost} unpriced={unpriced_requests} />,
      csv: ({ cost }) => cost,
    },
    { header: 'Requests without a price', csv: ({ unpriced_requests }) => unpriced_requests },
    { ...figure<T>('Average', ({ avg_latency_ms }) => avg_latency_ms, latency), sort: 'avg_latency_ms' },
    figure<T>('p50', ({ p50_latency_ms }) => p50_latency_ms, latency),
    { ...figure<T>('p95', ({ p95_latency_ms }) => p95_latency_ms, latency), sort: 'p95_latency_ms' },
    { ...figure<T>('Max', ({ max_latency_ms }) => max_latency_ms, latency), sort: 'max_latency_ms' },
  ];
}

function tokenColumns<T extends Tokens>(): Column<T>[] {
  return [
    { header: 'Input tokens', csv: ({ input_tokens }) => input_tokens },
    { header: 'Output tokens', csv: ({ output_tokens }) => output_tokens },
    {
      header: 'Total tokens',
      sort: 'total_tokens',
      align: 'right',
      cell: (row) => <TokenCell {...row} />,
      csv: ({ total_tokens }) => total_tokens,
    },
  ];
}

function figure<T>(
  header: string,
  value: (row: T) => number | null,
  text: (value: number | null) => string,
): Column<T> {
  return { header, align: 'right', cell: (row) => <Figure>{text(value(row))}</Figure>, csv: value };
}

function ErrorRate({ error_rate }: Counts) {
  return (
    <Stack gap={4} align="end">
      <Figure>{percent(error_rate)}</Figure>
      <ChartShare share={error_rate / 100} color="var(--mantine-color-red-7)" width={64} />
    </Stack>
  );
}

function TokenCell({ input_tokens, output_tokens, total_tokens }: Tokens) {
  return (
    <Stack gap={0} align="end">
      <Figure>{count(total_tokens)}</Figure>
      <Text size="xs" style={{ whiteSpace: 'nowrap' }}>
        {compact(input_tokens)} in, {compact(output_tokens)} out
      </Text>
    </Stack>
  );
}

function requestsWith(filters: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(filters).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, value]],
  );
  return `/requests?${new URLSearchParams(given).toString()}`;
}
