import { Code, Modal, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Moment } from '../../parts/moment';
import { count } from '../../parts/numbers';
import { useHasRole } from '../../session/use-session';
import { DeliveryBadge } from './delivery-columns';
import { eventLabel } from './event-types.data';
import type { Delivery } from './webhook-types';

interface Props {
  readonly delivery: Delivery | null;
  readonly onClose: () => void;
}

export function DeliveryDetails({ delivery, onClose }: Props) {
  return (
    <Modal opened={delivery !== null} onClose={onClose} title="Delivery" size="lg">
      {delivery !== null && <Details {...delivery} />}
    </Modal>
  );
}

function Details(delivery: Delivery) {
  const { response_status, response_excerpt } = delivery;
  const seesResponse = useHasRole('admin');
  const rows: readonly (readonly [string, ReactNode])[] = [
    ['Event', `${eventLabel(delivery.type)} (${delivery.type})`],
    ['Status', <DeliveryBadge status={delivery.status} />],
    ['Delivery ID', <Code>{delivery.id}</Code>],
    ['Event ID (webhook-id)', <Code>{delivery.event_id}</Code>],
    ['Attempts', count(delivery.attempts)],
    ['Response status', response_status ?? 'none'],
    ['Next attempt', <Moment at={delivery.next_attempt_at} never="none (no automatic retry)" />],
    ['Created', <Moment at={delivery.created_at} />],
  ];
  return (
    <Stack>
      <Table variant="vertical" aria-label="Delivery">
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" fw={600}>
        Start of the last response
      </Text>
      {!seesResponse && response_status !== null ? (
        <Text size="sm">Only admins can see this text, because a receiver can echo the URL that was called.</Text>
      ) : (
        <Code
          block
          tabIndex={0}
          role="region"
          aria-label="Start of the last response"
          style={{ whiteSpace: 'pre-wrap' }}
        >
          {response_excerpt === null || response_excerpt === '' ? 'none' : response_excerpt}
        </Code>
      )}
    </Stack>
  );
}
