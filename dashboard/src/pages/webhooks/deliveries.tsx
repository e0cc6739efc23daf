import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DataTable } from '../../parts/data-table';
import { EmptyState } from '../../parts/empty-state';
import { count } from '../../parts/numbers';
import { showFailure } from '../../parts/toasts';
import { useSearchState } from '../../parts/use-search-state';
import { useHasRole } from '../../session/use-session';
import { deliveryColumns } from './delivery-columns';
import { DeliveryDetails } from './delivery-details';
import { useOutcome, type Sending } from './use-sending';
import { PAGE_SIZE, useDeliveries, useFailedCount, useWebhookCalls } from './webhook-calls';
import type { Delivery, DeliveryStatus } from './webhook-types';

const STATUSES: readonly DeliveryStatus[] = ['pending', 'delivered', 'failed'];

interface Props {
  readonly id: string;
  readonly sending: Sending;
}

export function Deliveries({ id, sending }: Props) {
  const mayRetry = useHasRole('admin');
  const { get, page } = useSearchState();
  const status = STATUSES.find((name) => name === get('status')) ?? null;
  const list = useDeliveries({ id, status, page, waiting: sending.sent !== null });
  useOutcome(sending, list.data?.deliveries);
  const { retry, retrying } = useRetry(id, sending);
  const [shown, setShown] = useState<string | null>(null);
  const deliveries = list.data?.deliveries;
  return (
    <Stack gap="sm">
      <Text size="sm">
        A failed delivery is retried after 10 seconds, then at growing intervals of up to 4 hours. Automatic retries
        stop after one day. You can then retry the delivery manually. Deliveries are kept for 30 days.
      </Text>
      <StatusFilter id={id} status={status} />
      <DataTable
        label="Deliveries"
        columns={deliveryColumns({ show: (row) => setShown(row.id), retry: mayRetry ? retry : null, retrying })}
        rows={deliveries}
        rowId={(row) => row.id}
        reading={list}
        empty={<Empty status={status} mayTest={mayRetry} />}
        paging={{ total: list.data?.total ?? 0, pageSize: PAGE_SIZE }}
      />
      <DeliveryDetails delivery={deliveries?.find((row) => row.id === shown) ?? null} onClose={() => setShown(null)} />
    </Stack>
  );
}

function useRetry(id: string, { wait }: Sending) {
  const calls = useWebhookCalls();
  const [retrying, setRetrying] = useState<string | null>(null);
  async function again({ id: deliveryId, attempts }: Delivery): Promise<void> {
    setRetrying(deliveryId);
    try {
      await calls.retry(id, deliveryId);
      wait({ deliveryId, attempts });
    } catch (error) {
      showFailure(error);
    } finally {
      setRetrying(null);
    }
  }
  return { retrying, retry: (delivery: Delivery) => void again(delivery) };
}

function StatusFilter({ id, status }: { readonly id: string; readonly status: DeliveryStatus | null }) {
  const { set } = useSearchState();
  const failed = useFailedCount(id).data ?? 0;
  return (
    <Group>
      <SegmentedControl
        aria-label="Delivery status"
        size="xs"
        value={status ?? 'all'}
        onChange={(value) => set({ status: value === 'all' ? null : value })}
        data={[
          { value: 'all', label: 'All' },
          { value: 'pending', label: 'Pending' },
          { value: 'delivered', label: 'Delivered' },
          { value: 'failed', label: failed === 0 ? 'Failed' : `Failed (${count(failed)})` },
        ]}
      />
    </Group>
  );
}

function Empty({ status, mayTest }: { readonly status: DeliveryStatus | null; readonly mayTest: boolean }) {
  if (status !== null)
    return <EmptyState title={`No ${status} deliveries`}>Select “All” to see other deliveries.</EmptyState>;
  return (
    <EmptyState title="No deliveries yet">
      New events are sent when they occur. {mayTest ? 'Send a test event to check the receiver.' : ''}
    </EmptyState>
  );
}
