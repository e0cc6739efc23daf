import { AppShell, Burger, Group, UnstyledButton } from '@mantine/core';
import type { RefObject } from 'react';
import { Link } from 'react-router';
import { AccountMenu } from './account-menu';
import { Logo } from './logo';
import { NotificationBell } from './notification-bell';
import { ThemeSwitch } from './theme-switch';

interface Props {
  readonly burger: RefObject<HTMLButtonElement | null>;
  readonly menuOpened: boolean;
  readonly toggleMenu: () => void;
  readonly closeMenu: () => void;
}

export function Header({ burger, menuOpened, toggleMenu, closeMenu }: Props) {
  return (
    <AppShell.Header>
      <Group h="100%" px="md" justify="space-between" wrap="nowrap">
        <Group gap="sm" wrap="nowrap">
          <Burger
            ref={burger}
            opened={menuOpened}
            onClick={toggleMenu}
            hiddenFrom="sm"
            size="sm"
            aria-label="Menu"
            aria-expanded={menuOpened}
            aria-controls="menu"
          />
          <UnstyledButton component={Link} to="/" onClick={closeMenu}>
            <Logo />
          </UnstyledButton>
        </Group>
        <Group gap={4} wrap="nowrap">
          <ThemeSwitch />
          <NotificationBell />
          <AccountMenu />
        </Group>
      </Group>
    </AppShell.Header>
  );
}
