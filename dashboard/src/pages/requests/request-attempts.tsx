import { Stack, Table, Title } from '@mantine/core';
import { latency } from '../../parts/numbers';
import { RequestStatus } from './request-status';
import type { RequestLog } from './request-types';

type Attempts = NonNullable<RequestLog['attempts']>;

/** The reasons why an attempt had no response, by its `error`. */
const FAILURES: Readonly<Record<string, string>> = {
  connect: 'could not connect',
  breaker: 'not tried: unreachable',
  no_connection: 'no free connection',
  head_timeout: 'no response in time',
  idle_timeout: 'response stopped',
  reset: 'connection closed',
  protocol: 'invalid response',
  encoding: 'unknown encoding',
  internal: 'error in the gateway',
};

export function RequestAttempts({ attempts }: { readonly attempts: Attempts }) {
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        Attempts
      </Title>
      <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} aria-label="Attempts" role="region">
        <Table withTableBorder>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Upstream</Table.Th>
              <Table.Th>Model</Table.Th>
              <Table.Th>Outcome</Table.Th>
              <Table.Th ta="right">Time</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {attempts.map((attempt, index) => (
              <Table.Tr key={index}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{attempt.upstream}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{attempt.model ?? 'none'}</Table.Td>
                <Table.Td>
                  <Outcome {...attempt} />
                </Table.Td>
                <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
                  {latency(attempt.ms)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}

function Outcome({ status, error }: Attempts[number]) {
  if (status !== null) return <RequestStatus status={status} />;
  return error === null ? '–' : (FAILURES[error] ?? error);
}
