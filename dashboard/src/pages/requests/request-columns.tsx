import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Amount } from '../../parts/amount';
import { clamped } from '../../parts/clamped';
import type { Column } from '../../parts/data-table';
import { Moment } from '../../parts/moment';
import { count, latency } from '../../parts/numbers';
import { RequestStatus } from './request-status';
import type { RequestLog } from './request-types';

/** Shows only the columns that fit on a screen. The exported file has all columns. */
export const requestColumns = (open: (id: string) => void): readonly Column<RequestLog>[] => [
  { header: 'Time', cell: (log) => <Begun of={log} open={open} /> },
  { header: 'Status', cell: Outcome },
  { header: 'Request', cell: Asked },
  { header: 'Key', cell: Key },
  { header: 'Latency', align: 'right', cell: Took },
  { header: 'Tokens', align: 'right', cell: Tokens },
  { header: 'Cost', align: 'right', cell: Cost },
];

interface BegunProps {
  readonly of: RequestLog;
  readonly open: (id: string) => void;
}

function Begun({ of: log, open }: BegunProps) {
  return (
    <Stack gap={0} align="start" style={{ whiteSpace: 'nowrap' }}>
      <Moment at={log.created_at} />
      <Anchor
        component="button"
        type="button"
        size="sm"
        aria-label={`Details of request ${log.id}`}
        onClick={() => open(log.id)}
      >
        Details
      </Anchor>
    </Stack>
  );
}

function Outcome({ status, error_code }: RequestLog) {
  return (
    <Stack gap={2} align="start">
      <RequestStatus status={status} />
      {error_code !== null && (
        <Text size="xs" ff="monospace">
          {error_code}
        </Text>
      )}
    </Stack>
  );
}

function Asked({ method, endpoint, model, stream }: RequestLog) {
  return (
    <Stack gap={0} miw={225} maw={300} style={{ overflowWrap: 'anywhere' }}>
      <Text size="sm">
        <b>{method}</b> {endpoint}
      </Text>
      {model !== null && (
        <Anchor component={Link} to={`/models?search=${encodeURIComponent(model)}`} size="sm" {...clamped(model)}>
          {model}
        </Anchor>
      )}
      {stream && <Text size="xs">streamed</Text>}
    </Stack>
  );
}

function Key({ key_id, key_name, team_id, team_name }: RequestLog) {
  return (
    <Stack gap={0} align="start" miw={110} maw={200}>
      <Anchor component={Link} to={`/keys/${key_id}`} size="sm" {...clamped(key_name ?? key_id)}>
        {key_name ?? key_id.slice(0, 8)}
      </Anchor>
      {team_id !== null && (
        <Anchor component={Link} to={`/teams/${team_id}`} size="xs" {...clamped(team_name ?? team_id)}>
          {team_name}
        </Anchor>
      )}
    </Stack>
  );
}

function Took({ latency_ms, upstream_latency_ms }: RequestLog) {
  return (
    <TwoFigures
      first={latency(latency_ms)}
      second={upstream_latency_ms === null ? null : `provider ${latency(upstream_latency_ms)}`}
    />
  );
}

const Tokens = ({ input_tokens, output_tokens }: RequestLog) => (
  <TwoFigures first={`${count(input_tokens)} in`} second={`${count(output_tokens)} out`} />
);

const Cost = ({ cost, cost_details: details }: RequestLog) =>
  details === null ? '–' : <Amount cost={cost} atLeast={details.unpriced.length > 0} />;

function TwoFigures({ first, second }: { readonly first: string; readonly second: string | null }) {
  return (
    <Stack gap={0} style={{ whiteSpace: 'nowrap' }}>
      <Text size="sm">{first}</Text>
      {second !== null && <Text size="xs">{second}</Text>}
    </Stack>
  );
}
