import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Column } from '../../parts/data-table';
import { Moment } from '../../parts/moment';
import { count, latency } from '../../parts/numbers';
import { RequestStatus } from './request-status';
import type { RequestLog } from './request-types';

/** @param open shows everything about one */
export const requestColumns = (open: (id: string) => void): readonly Column<RequestLog>[] => [
  { header: 'Time', cell: (log) => <Begun of={log} open={open} />, csv: ({ created_at }) => created_at },
  { header: 'Request', cell: Route, csv: ({ method, endpoint }) => `${method} ${endpoint}` },
  { header: 'Status', cell: RequestStatus, csv: ({ status }) => status },
  {
    header: 'Error code',
    cell: ({ error_code }) => (error_code === null ? '–' : <code>{error_code}</code>),
    csv: ({ error_code }) => error_code,
  },
  { header: 'Model', cell: Model, csv: ({ model }) => model },
  { header: 'Key', cell: Key, csv: ({ key_name, key_id }) => key_name ?? key_id },
  {
    header: 'Latency',
    align: 'right',
    cell: ({ latency_ms }) => latency(latency_ms),
    csv: ({ latency_ms }) => latency_ms,
  },
  {
    header: 'Provider',
    align: 'right',
    cell: ({ upstream_latency_ms }) => latency(upstream_latency_ms),
    csv: ({ upstream_latency_ms }) => upstream_latency_ms,
  },
  {
    header: 'Tokens in',
    align: 'right',
    cell: ({ input_tokens }) => count(input_tokens),
    csv: ({ input_tokens }) => input_tokens,
  },
  {
    header: 'Tokens out',
    align: 'right',
    cell: ({ output_tokens }) => count(output_tokens),
    csv: ({ output_tokens }) => output_tokens,
  },
  { header: 'Stream', cell: ({ stream }) => (stream ? 'yes' : 'no'), csv: ({ stream }) => stream },
  {
    header: 'Request id',
    cell: ({ request_id }) => (
      <Text size="xs" ff="monospace" style={{ whiteSpace: 'nowrap' }}>
        {request_id}
      </Text>
    ),
    csv: ({ request_id }) => request_id,
  },
];

interface BegunProps {
  readonly of: RequestLog;
  readonly open: (id: string) => void;
}

/** With the way to all the rest, where it is in sight on a phone too. */
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

function Route({ method, endpoint }: RequestLog) {
  return (
    <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
      <b>{method}</b> {endpoint}
    </Text>
  );
}

function Model({ model }: RequestLog) {
  if (model === null) return '–';
  return (
    <Anchor
      component={Link}
      to={`/models?search=${encodeURIComponent(model)}`}
      size="sm"
      lineClamp={2}
      title={model}
      miw={120}
      maw={200}
      style={{ overflowWrap: 'anywhere' }}
    >
      {model}
    </Anchor>
  );
}

function Key({ key_id, key_name }: RequestLog) {
  return (
    <Anchor
      component={Link}
      to={`/keys/${key_id}`}
      size="sm"
      lineClamp={2}
      title={key_name ?? key_id}
      miw={120}
      maw={200}
      style={{ overflowWrap: 'anywhere' }}
    >
      {key_name ?? key_id.slice(0, 8)}
    </Anchor>
  );
}
