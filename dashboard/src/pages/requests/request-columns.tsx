import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Amount } from '../../parts/amount';
import { clamped } from '../../parts/clamped';
import type { Column } from '../../parts/data-table';
import { Moment } from '../../parts/moment';
import { count, latency } from '../../parts/numbers';
import { RequestStatus } from './request-status';
import type { RequestLog } from './request-types';

/**
 * Shows only the columns that fit on a screen. The exported file has all columns.
 * @param upstreams whether there are several
 */
export const requestColumns = (open: (id: string) => void, upstreams: boolean): readonly Column<RequestLog>[] => [
  { header: 'Time', cell: (log) => <Begun of={log} open={open} />, csv: ({ created_at }) => created_at },
  { header: 'Status', cell: Outcome, csv: ({ status }) => status },
  { header: 'Error code', csv: ({ error_code }) => error_code },
  { header: 'Error message', csv: ({ error_message }) => error_message },
  { header: 'Request', cell: Asked, csv: ({ method, endpoint }) => `${method} ${endpoint}` },
  { header: 'Model', csv: ({ model }) => model },
  { header: 'Key', cell: Key, csv: ({ key_name, key_id }) => key_name ?? key_id },
  { header: 'Latency', align: 'right', cell: Took, csv: ({ latency_ms }) => latency_ms },
  { header: 'Provider', csv: ({ upstream_latency_ms }) => upstream_latency_ms },
  ...(upstreams ? [{ header: 'Upstream', csv: ({ upstream }: RequestLog) => upstream }] : []),
  { header: 'Tokens', align: 'right', cell: Tokens },
  { header: 'Tokens in', csv: ({ input_tokens }) => input_tokens },
  { header: 'Tokens out', csv: ({ output_tokens }) => output_tokens },
  { header: 'Cost', align: 'right', cell: Cost, csv: ({ cost }) => cost },
  { header: 'Stream', csv: ({ stream }) => stream },
  { header: 'Request ID', csv: ({ request_id }) => request_id },
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

function Key({ key_id, key_name }: RequestLog) {
  return (
    <Anchor component={Link} to={`/keys/${key_id}`} size="sm" miw={110} maw={200} {...clamped(key_name ?? key_id)}>
      {key_name ?? key_id.slice(0, 8)}
    </Anchor>
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
