import { ActionIcon, Group, Indicator, Menu, ScrollArea, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { responseBodyOf, api } from '../api/client';
import { useMarkAllRead, useMarkRead } from '../pages/notifications/notification-calls';
import { wordsOf, type Notification } from '../pages/notifications/notification-words';
import { ErrorNotice } from '../parts/error-notice';
import { useSession } from '../session/use-session';
import { BellIcon } from './icons';

const SHOWN_MAX = 8;
const EACH_MS = 60_000;
const COUNTED_MAX = 99;
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export function NotificationBell() {
  const { data, error } = useUnread();
  const total = data?.total ?? 0;
  return (
    <Menu position="bottom-end" withArrow withinPortal={false} width={340}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          style={{ overflow: 'visible' }}
          aria-label={total === 0 ? 'Notifications' : `Notifications, ${total} unread`}
        >
          <Indicator
            disabled={total === 0}
            label={total > COUNTED_MAX ? `${COUNTED_MAX}+` : total}
            size={16}
            color="red.9"
            offset={2}
          >
            <BellIcon />
          </Indicator>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {data === undefined && error !== null && <ErrorNotice error={error} />}
        {data !== undefined && <Unread {...data} />}
        <Menu.Divider />
        <Menu.Item component={Link} to="/notifications">
          All notifications
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function useUnread() {
  const { kind } = useSession();
  return useQuery({
    queryKey: ['notifications', 'bell'],
    queryFn: ({ signal }) => {
      const query = { unread: true, limit: SHOWN_MAX };
      return responseBodyOf(api.GET('/admin/notifications', { params: { query }, signal }));
    },
    enabled: kind === 'signedIn',
    refetchInterval: EACH_MS,
  });
}

function Unread({ total, notifications }: { readonly total: number; readonly notifications: readonly Notification[] }) {
  const markAll = useMarkAllRead();
  if (total === 0) return <Menu.Label>No unread notifications</Menu.Label>;
  return (
    <>
      <ScrollArea.Autosize mah="60dvh" type="auto">
        {notifications.map((notification) => (
          <Entry key={notification.id} {...notification} />
        ))}
      </ScrollArea.Autosize>
      {total > notifications.length && <Menu.Label>and {total - notifications.length} more</Menu.Label>}
      <Menu.Divider />
      <Menu.Item closeMenuOnClick={false} disabled={markAll.isPending} onClick={() => markAll.mutate()}>
        Mark all as read
      </Menu.Item>
    </>
  );
}

/** Opening the subject marks the notification as read. */
function Entry({ id, type, data, created_at }: Notification) {
  const markRead = useMarkRead();
  const { title, to, urgent } = wordsOf({ type, data });
  return (
    <Menu.Item component={Link} to={to} onClick={() => markRead.mutate(id)}>
      <Group gap="xs" wrap="nowrap" align="baseline">
        <span className="dot" data-urgent={urgent} />
        <div>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Text>
          <Text size="xs" c="dimmed" component="time" dateTime={created_at}>
            {local.format(new Date(created_at))}
          </Text>
        </div>
      </Group>
    </Menu.Item>
  );
}
