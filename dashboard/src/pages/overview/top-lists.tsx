import { Anchor, Group, Paper, SimpleGrid, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Figure } from '../../parts/chart-figure';
import { ChartShare } from '../../parts/chart-share';
import { ErrorNotice } from '../../parts/error-notice';
import { compact, count, latency, percent, plural } from '../../parts/numbers';
import { daysOf, linkWith, momentsOf } from '../../parts/period';
import { usePeriod } from '../../parts/period-state';
import type { Usage, UsageFigures } from '../usage/usage-query';
import { useBusiestEndpoints } from './busiest-endpoints';
import { failedRequestsIn, useRequestErrors } from './request-errors';

const SHOWN = 5;
const OTHER_CODE = 'other';

export function TopLists({ usage }: { readonly usage: Usage | undefined }) {
  const period = usePeriod();
  const keys = usage?.by_key.map((row) => ({
    ...row,
    label: row.key_name ?? row.key_id,
    to: `/keys/${row.key_id}`,
  }));
  const models = usage?.by_model.map((row) => ({
    ...row,
    label: row.model ?? 'No model',
    to: linkWith('/statistics', period, { tab: 'keys', model: row.model }),
  }));
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Card title="Top keys" all="All keys" to={linkWith('/usage', period)}>
        <Shares rows={keys} of={usage?.totals.requests ?? 0} />
      </Card>
      <Card title="Top models" all="All models" to={linkWith('/usage', period, { by: 'model' })}>
        <Shares rows={models} of={usage?.totals.requests ?? 0} />
      </Card>
      <Card title="Errors by reason" all="Failed requests" to={failedRequestsIn(period)} wide>
        {usage === undefined ? <Skeleton height={100} /> : <Reasons />}
      </Card>
      <Card title="Top endpoints (sampled)" all="All endpoints" to={linkWith('/statistics', period)} wide>
        <Endpoints />
      </Card>
    </SimpleGrid>
  );
}

interface CardProps {
  readonly title: string;
  readonly all: string;
  readonly to: string;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

function Card({ title, all, to, wide = false, children }: CardProps) {
  return (
    <Paper withBorder p="md" style={wide ? { gridColumn: '1 / -1', minWidth: 0 } : { minWidth: 0 }}>
      <Group justify="space-between" mb="sm">
        <Title order={3} size="h5">
          {title}
        </Title>
        <Anchor component={Link} to={to} size="sm">
          {all}
        </Anchor>
      </Group>
      {children}
    </Paper>
  );
}

interface SharesProps {
  readonly rows: readonly (UsageFigures & { readonly label: string; readonly to: string })[] | undefined;
  readonly of: number;
}

function Shares({ rows, of }: SharesProps) {
  if (rows === undefined) return <Skeleton height={160} />;
  return (
    <Stack gap="xs" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
      {rows.slice(0, SHOWN).map(({ label, to, requests, total_tokens }) => (
        <li key={to + label}>
          <Group justify="space-between" gap="0 16px">
            <Anchor component={Link} to={to} size="sm" style={{ overflowWrap: 'anywhere' }}>
              {label}
            </Anchor>
            <Text size="sm">
              {compact(requests)} {plural(requests, 'request')} · {compact(total_tokens)}{' '}
              {plural(total_tokens, 'token')}
            </Text>
          </Group>
          <ChartShare share={of === 0 ? 0 : requests / of} />
        </li>
      ))}
    </Stack>
  );
}

/** Exact numbers, including requests that were not admitted. */
function Reasons() {
  const period = usePeriod();
  const { data, error, refetch } = useRequestErrors(daysOf(period));
  if (error !== null) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={100} />;
  const reasons = data.by_error_code.slice(0, SHOWN);
  if (reasons.length === 0) return <Text size="sm">No request was rejected or failed.</Text>;
  return (
    <Stack gap="xs" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
      {reasons.map(({ error_code: code, requests }) => (
        <li key={code}>
          <Group justify="space-between" gap="0 16px">
            {code === OTHER_CODE ? (
              <Text size="sm">without a gateway code</Text>
            ) : (
              <Anchor component={Link} to={failedRequestsIn(period, code)} size="sm" ff="monospace">
                {code}
              </Anchor>
            )}
            <Text size="sm">
              {count(requests)} {plural(requests, 'request')}
            </Text>
          </Group>
          <ChartShare share={requests / data.totals.requests} />
        </li>
      ))}
    </Stack>
  );
}

function Endpoints() {
  const period = usePeriod();
  const { data, error, refetch } = useBusiestEndpoints(period);
  if (error !== null) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={160} />;
  if (data.length === 0) return <Text size="sm">The sample contains no requests from this period.</Text>;
  const moments = momentsOf(period);
  return (
    <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} role="region" aria-label="Top endpoints">
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Endpoint</Table.Th>
            {['Sampled', 'Error rate', 'p50', 'p95'].map((header) => (
              <Table.Th key={header} ta="right">
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.map((row) => (
            <Table.Tr key={row.endpoint}>
              <Table.Td>
                <Anchor
                  component={Link}
                  to={`/requests?${new URLSearchParams({ endpoint: row.endpoint, ...moments }).toString()}`}
                  inherit
                >
                  {row.endpoint}
                </Anchor>
              </Table.Td>
              <Table.Td ta="right">
                <Figure>{count(row.request_count)}</Figure>
              </Table.Td>
              <Table.Td ta="right">
                <Figure>{percent(row.error_rate)}</Figure>
              </Table.Td>
              <Table.Td ta="right">
                <Figure>{latency(row.p50_latency_ms)}</Figure>
              </Table.Td>
              <Table.Td ta="right">
                <Figure>{latency(row.p95_latency_ms)}</Figure>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
