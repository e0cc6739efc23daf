import { Drawer, Skeleton, Text } from '@mantine/core';
import { ErrorNotice } from '../../parts/error-notice';
import { RequestDetail } from './request-detail';
import { useRequest } from './request-queries';
import type { RequestLog } from './request-types';
import { useLatest } from '../../parts/use-opened';

interface Props {
  readonly id: string | null;
  readonly rows: readonly RequestLog[];
  readonly onClose: () => void;
}

export function RequestDrawer({ id, rows, onClose }: Props) {
  // Keeps the content during the closing animation.
  const shown = useLatest(id);
  return (
    <Drawer
      opened={id !== null}
      onClose={onClose}
      position="right"
      size="lg"
      title="Request"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {shown !== null && <Content id={shown} listed={rows.find((row) => row.id === shown)} />}
    </Drawer>
  );
}

function Content({ id, listed }: { readonly id: string; readonly listed: RequestLog | undefined }) {
  const { data, error, refetch } = useRequest(id, listed === undefined);
  const log = listed ?? data?.requests[0];
  if (log !== undefined) return <RequestDetail of={log} />;
  if (error !== null) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={320} />;
  return <Text size="sm">The record of this request no longer exists.</Text>;
}
