import { Badge, Box, Button, Group, Stack, Text } from '@mantine/core';
import type { Column } from '../../parts/data-table';
import { Moment } from '../../parts/moment';
import { count } from '../../parts/numbers';
import { eventLabel } from './event-types.data';
import type { Delivery } from './webhook-types';

interface Actions {
  readonly show: (delivery: Delivery) => void;
  readonly retry: ((delivery: Delivery) => void) | null;
  readonly retrying: string | null;
}

export function deliveryColumns(actions: Actions): Column<Delivery>[] {
  return [
    { header: 'Event', cell: (row) => <Event {...row} />, csv: ({ type }) => type },
    { header: 'Status', cell: (row) => <DeliveryBadge {...row} />, csv: ({ status }) => status },
    { header: 'Response', cell: (row) => <DeliveryResponse {...row} />, csv: responseText },
    { header: 'Attempts', align: 'right', cell: ({ attempts }) => count(attempts), csv: ({ attempts }) => attempts },
    {
      header: 'Next attempt',
      cell: ({ next_attempt_at }) => (
        <Box miw={88}>
          <Moment at={next_attempt_at} never="none" ago />
        </Box>
      ),
      csv: ({ next_attempt_at }) => next_attempt_at,
    },
    {
      header: 'Created',
      cell: ({ created_at }) => (
        <Box miw={112}>
          <Moment at={created_at} />
        </Box>
      ),
      csv: ({ created_at }) => created_at,
    },
    { header: 'Actions', cell: (row) => <RowActions row={row} {...actions} /> },
  ];
}

const COLORS = { pending: 'indigo', delivered: 'green', failed: 'red' } as const;

export function DeliveryBadge({ status }: Pick<Delivery, 'status'>) {
  return (
    <Badge color={COLORS[status]} variant={status === 'failed' ? 'filled' : 'light'} miw="max-content">
      {status}
    </Badge>
  );
}

function Event({ type }: Delivery) {
  return (
    <Stack gap={0}>
      <Text size="sm">{eventLabel(type)}</Text>
      <Text size="xs" ff="monospace">
        {type}
      </Text>
    </Stack>
  );
}

const responseText = ({ response_status, response_excerpt }: Delivery): string =>
  [response_status, response_excerpt].filter((part) => part !== null).join(' ');

function DeliveryResponse({ response_status, response_excerpt, attempts }: Delivery) {
  if (attempts === 0 && response_status === null && response_excerpt === null) return 'not sent yet';
  return (
    <Stack gap={0} maw={320} miw={120}>
      {response_status !== null && <Text size="sm">{response_status}</Text>}
      {response_excerpt !== null && response_excerpt !== '' && (
        <Text size="xs" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {response_excerpt}
        </Text>
      )}
    </Stack>
  );
}

function RowActions({ row, show, retry, retrying }: Actions & { readonly row: Delivery }) {
  const about = `${eventLabel(row.type)}, ${row.id.slice(0, 8)}`;
  return (
    <Group gap={4} wrap="nowrap">
      <Button size="compact-sm" variant="subtle" aria-label={`Details of ${about}`} onClick={() => show(row)}>
        Details
      </Button>
      {retry !== null && row.status !== 'delivered' && (
        <Button
          size="compact-sm"
          variant="default"
          loading={retrying === row.id}
          aria-label={`Retry: ${about}`}
          onClick={() => retry(row)}
        >
          Retry
        </Button>
      )}
    </Group>
  );
}
