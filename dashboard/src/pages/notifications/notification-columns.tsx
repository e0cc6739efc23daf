import { Anchor, Badge, Box, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Column } from '../../parts/data-table';
import { Moment } from '../../parts/moment';
import { wordsOf, type Notification } from './notification-words';

interface Marking {
  readonly mark: (id: string) => void;
  /** The one that is being marked. */
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
    {
      header: 'When',
      cell: (row) => (
        <Box miw={88}>
          <Moment at={row.created_at} ago />
        </Box>
      ),
      csv: (row) => row.created_at,
    },
  ];
}

/** Opening what it is about is reading it. */
function Words({ type, data, read_at, onOpen }: Notification & { readonly onOpen: () => void }) {
  const { title, detail, to, urgent } = wordsOf({ type, data });
  const unread = read_at === null;
  return (
    <Stack gap={2} miw={170}>
      <Group gap="xs" wrap="nowrap" align="start">
        {unread && (
          <Badge size="sm" variant="filled" color={urgent ? 'red' : 'indigo'} mt={2} miw="max-content">
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
    </Stack>
  );
}
