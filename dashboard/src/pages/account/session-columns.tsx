import { Badge, Box, Button, Group, Text, Tooltip } from '@mantine/core';
import type { Column } from '../../parts/data-table';
import { Moment } from '../../parts/moment';
import { deviceOf } from './device';
import type { Session } from './session-types';

interface Given {
  readonly names: ReadonlyMap<string, string> | undefined;
  readonly end: (session: Session) => void;
}

export function sessionColumns({ names, end }: Given): Column<Session>[] {
  const nameOf = ({ operator_id }: Session) => names?.get(operator_id) ?? operator_id.slice(0, 8);
  const operator: Column<Session> = { header: 'Operator', cell: (row) => <Whose name={nameOf(row)} />, csv: nameOf };
  return [
    { header: 'Device', cell: (row) => <Device {...row} />, csv: ({ user_agent }) => user_agent },
    ...(names === undefined ? [] : [operator]),
    { header: 'IP address', cell: ({ ip }) => ip ?? 'unknown', csv: ({ ip }) => ip },
    {
      header: 'Last seen',
      cell: ({ last_seen_at, current }) => <Box miw={88}>{current ? 'now' : <Moment at={last_seen_at} ago />}</Box>,
      csv: ({ last_seen_at }) => last_seen_at,
    },
    {
      header: 'Signed in',
      cell: ({ created_at }) => (
        <Box miw={112}>
          <Moment at={created_at} />
        </Box>
      ),
      csv: ({ created_at }) => created_at,
    },
    {
      header: 'Expires',
      cell: ({ expires_at }) => (
        <Box miw={88}>
          <Moment at={expires_at} ago />
        </Box>
      ),
      csv: ({ expires_at }) => expires_at,
    },
    {
      header: 'Actions',
      cell: (row) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`${row.current ? 'Sign out' : 'End session'}: ${deviceOf(row.user_agent)}, ${row.ip ?? 'unknown IP address'}`}
          onClick={() => end(row)}
        >
          {row.current ? 'Sign out' : 'End'}
        </Button>
      ),
    },
  ];
}

function Whose({ name }: { readonly name: string }) {
  return (
    <Text size="sm" miw={110} maw={260} style={{ overflowWrap: 'anywhere' }}>
      {name}
    </Text>
  );
}

function Device({ user_agent, current }: Session) {
  return (
    <Group gap={8} miw={110} style={{ rowGap: 2 }}>
      <Tooltip label={user_agent ?? 'No user agent'} multiline maw={360} events={EVENTS}>
        <Text size="sm" tabIndex={0}>
          {deviceOf(user_agent)}
        </Text>
      </Tooltip>
      {current && (
        <Badge variant="light" miw="max-content">
          this session
        </Badge>
      )}
    </Group>
  );
}

const EVENTS = { hover: true, focus: true, touch: true };
