import { Button, Group, SegmentedControl } from '@mantine/core';
import { DataTable } from '../../parts/data-table';
import { EmptyState } from '../../parts/empty-state';
import { count } from '../../parts/numbers';
import { Page } from '../../parts/page';
import { useSearchState } from '../../parts/use-search-state';
import { PAGE_SIZE, useMarkAllRead, useMarkRead, useNotifications, useUnreadCount } from './notification-calls';
import { notificationColumns } from './notification-columns';

export function NotificationsPage() {
  const { get, set, page } = useSearchState();
  const unreadOnly = get('show') === 'unread';
  const list = useNotifications(unreadOnly, page);
  const unread = useUnreadCount().data ?? 0;
  const markRead = useMarkRead();
  const markAll = useMarkAllRead();
  return (
    <Page
      title="Notifications"
      actions={
        unread > 0 && (
          <Button variant="default" loading={markAll.isPending} onClick={() => markAll.mutate()}>
            Mark all as read
          </Button>
        )
      }
    >
      <Group>
        <SegmentedControl
          aria-label="Filter notifications"
          value={unreadOnly ? 'unread' : 'all'}
          onChange={(value) => set({ show: value === 'unread' ? 'unread' : null })}
          data={[
            { value: 'all', label: 'All' },
            { value: 'unread', label: unread === 0 ? 'Unread' : `Unread (${count(unread)})` },
          ]}
        />
      </Group>
      <DataTable
        label="Notifications"
        columns={notificationColumns({
          mark: (id) => markRead.mutate(id),
          marking: markRead.isPending ? markRead.variables : null,
        })}
        rows={list.data?.notifications}
        rowId={({ id }) => id}
        reading={list}
        empty={<Empty unreadOnly={unreadOnly} />}
        paging={{ total: list.data?.total ?? 0, pageSize: PAGE_SIZE }}
      />
    </Page>
  );
}

function Empty({ unreadOnly }: { readonly unreadOnly: boolean }) {
  if (unreadOnly)
    return <EmptyState title="No unread notifications">Select “All” to see read notifications.</EmptyState>;
  return (
    <EmptyState title="No notifications yet">
      Once a day, the gateway checks for keys that expire soon, have expired or are near a monthly limit, and lists them
      here. Limits that reach an alert threshold, and webhooks that it disabled after repeated failures, are also
      listed.
    </EmptyState>
  );
}
