import { ActionIcon, Badge, Box, Group, Menu, Text } from '@mantine/core';
import { Link } from 'react-router';
import { clamped } from '../../parts/clamped';
import type { Column } from '../../parts/data-table';
import { Moment } from '../../parts/moment';
import { DotsIcon } from '../../shell/icons';
import type { Operator } from './operator-types';

export type OperatorAction = 'edit' | 'password' | 'sessions' | 'delete';
export type AskFor = (action: OperatorAction, operator: Operator) => void;

export function operatorColumns(ownId: string, ask: AskFor): Column<Operator>[] {
  return [
    { header: 'Name', cell: (row) => <Name {...row} own={row.id === ownId} />, csv: ({ name }) => name },
    { header: 'Email', cell: Email, csv: ({ email }) => email },
    { header: 'Role', cell: ({ role }) => role, csv: ({ role }) => role },
    {
      header: 'Status',
      cell: ({ disabled }) =>
        disabled ? (
          <Badge color="gray" variant="filled" miw="max-content">
            disabled
          </Badge>
        ) : (
          <Badge color="green" variant="light" miw="max-content">
            active
          </Badge>
        ),
      csv: ({ disabled }) => (disabled ? 'disabled' : 'active'),
    },
    {
      header: 'Last sign-in',
      cell: ({ last_login_at }) => (
        <Box miw={88}>
          <Moment at={last_login_at} never="never" ago />
        </Box>
      ),
      csv: ({ last_login_at }) => last_login_at,
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
    { header: 'Actions', cell: (row) => <RowMenu row={row} own={row.id === ownId} ask={ask} /> },
  ];
}

function Name({ name, own }: Operator & { readonly own: boolean }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" fw={own ? 600 : 400} miw={100} {...clamped(name)}>
        {name}
      </Text>
      {own && (
        <Badge variant="light" miw="max-content">
          you
        </Badge>
      )}
    </Group>
  );
}

const Email = ({ email }: Operator) => (
  <Text size="sm" miw={140} {...clamped(email)}>
    {email}
  </Text>
);

interface RowMenuProps {
  readonly row: Operator;
  readonly own: boolean;
  readonly ask: AskFor;
}

function RowMenu({ row, own, ask }: RowMenuProps) {
  return (
    <Menu position="bottom-end" withArrow>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${row.email}`}>
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => ask('edit', row)}>Edit</Menu.Item>
        {own ? (
          <Menu.Item component={Link} to="/account">
            Change your password
          </Menu.Item>
        ) : (
          <Menu.Item onClick={() => ask('password', row)}>Set new password</Menu.Item>
        )}
        <Menu.Item onClick={() => ask('sessions', row)}>Sessions</Menu.Item>
        <Menu.Divider />
        <Menu.Item c="red" onClick={() => ask('delete', row)}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
