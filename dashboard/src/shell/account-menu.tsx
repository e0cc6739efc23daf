import { ActionIcon, Menu } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import { showFailure } from '../parts/toasts';
import { signOut } from '../session/session-calls';
import { useOperator } from '../session/use-session';
import { PersonIcon } from './icons';

export function AccountMenu() {
  const { name, email, role } = useOperator();
  const navigate = useNavigate();
  async function leave(): Promise<void> {
    try {
      await signOut();
      // The next operator starts at the overview, not at the page of the previous one.
      await navigate('/');
    } catch (error) {
      showFailure(error);
    }
  }
  return (
    <Menu position="bottom-end" withArrow withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Account of ${name}`}>
          <PersonIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {name} · {role}
          <br />
          {email}
        </Menu.Label>
        <Menu.Item component={Link} to="/account">
          Password and sessions
        </Menu.Item>
        <Menu.Item component="a" href="/docs" target="_blank" rel="noreferrer">
          API reference
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => void leave()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
