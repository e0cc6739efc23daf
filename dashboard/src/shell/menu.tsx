import { NavLink, Text } from '@mantine/core';
import { useId } from 'react';
import { Link, useLocation } from 'react-router';
import { useHasRole } from '../session/use-session';
import { NAVIGATION, type NavigationEntry } from './navigation.data';

interface Props {
  readonly onChosen: () => void;
}

export function Menu({ onChosen }: Props) {
  return NAVIGATION.map((group) => <Section key={group.label} {...group} onChosen={onChosen} />);
}

function Section({ label, entries, onChosen }: (typeof NAVIGATION)[number] & Props) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <Text id={id} size="xs" c="dimmed" fw={600} px="sm" pt="md" pb={4}>
        {label}
      </Text>
      {entries.map((entry) => (
        <Entry key={entry.to} {...entry} onChosen={onChosen} />
      ))}
    </div>
  );
}

function Entry({ label, to, icon: Icon, role = 'viewer', onChosen }: NavigationEntry & Props) {
  const { pathname } = useLocation();
  const may = useHasRole(role);
  if (!may) return null;
  const active = to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`);
  return (
    <NavLink
      component={Link}
      to={to}
      label={label}
      leftSection={<Icon />}
      active={active}
      aria-current={active ? 'page' : undefined}
      onClick={onChosen}
    />
  );
}
