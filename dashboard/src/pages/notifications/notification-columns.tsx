import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Column } from '../../parts/data-table';
import { Moment } from '../../parts/moment';
import { wordsOf, type Notification } from './notification-words';

interface Marking {
  readonly mark: (id: string) => void;
  readonly marking: string | null;
}

export function notificationColumns({ mark, marking }: Marking): Column<Notification>[] {
  return [
    {
      header: 'Notification',
      cell: (row) => <Words {...row} onOpen={() => row.read_at === null && mark(row.id)} />,
      csv: (row) => wordsOf(row).title,
    },
    {
      header: 'Read',
      cell: (row) =>
        row.read_at === null ? (
          <Button
            size="compact-sm"
            variant="default"
            loading={marking === row.id}
            aria-label={`Mark as read: ${wordsOf(row).title}`}
            onClick={() => mark(row.id)}
          >
            Mark as read
          </Button>
        ) : (
          <Moment at={row.read_at} ago />
        ),
      csv: (row) => row.read_at,
    },
    { header: 'Time', csv: (row) => row.created_at },
  ];
}

/** Opening the subject marks the notification as read. */
function Words({ type, data, read_at, created_at, onOpen }: Notification & { readonly onOpen: () => void }) {
  const { title, detail, to, urgent } = wordsOf({ type, data });
  const unread = read_at === null;
  return (
    <Stack gap={2} miw={190}>
      <Group gap={8} style={{ rowGap: 2 }}>
        {unread && (
          <Badge size="sm" variant="filled" color={urgent ? 'red' : 'indigo'} miw="max-content">
            New
          </Badge>
        )}
        <Anchor
          component={Link}
          to={to}
          onClick={onOpen}
          size="sm"
          fw={unread ? 600 : 400}
          style={{ overflowWrap: 'anywhere' }}
        >
          {title}
        </Anchor>
      </Group>
      <Text size="sm">{detail}</Text>
      <Text size="xs" c="dimmed" component="div">
        <Moment at={created_at} ago />
      </Text>
    </Stack>
  );
}
