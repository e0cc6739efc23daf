import { Anchor, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { Confirm } from '../../parts/confirm';
import { count, plural } from '../../parts/numbers';
import { showDone } from '../../parts/toasts';
import { useTeamCalls } from './team-calls';
import { TeamForm } from './team-form';
import type { Team } from './team-types';

type TeamQuestion =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit'; readonly team: Team }
  | { readonly kind: 'delete'; readonly team: Team };
export type AskForTeam = (question: TeamQuestion) => void;

/**
 * Opens dialogs about teams. The page holds them, because a refetch can remove the row.
 * @param onDeleted runs after a team was deleted
 */
export function useTeamDialogs(onDeleted?: () => void): { readonly ask: AskForTeam; readonly dialogs: ReactNode } {
  const [asked, setAsked] = useState<TeamQuestion | null>(null);
  const close = () => setAsked(null);
  if (asked === null) return { ask: setAsked, dialogs: null };
  switch (asked.kind) {
    case 'create':
      return { ask: setAsked, dialogs: <TeamForm team={null} onClose={close} /> };
    case 'edit':
      return { ask: setAsked, dialogs: <TeamForm team={asked.team} onClose={close} /> };
    case 'delete':
      return { ask: setAsked, dialogs: <DeleteTeam team={asked.team} onClose={close} onDeleted={onDeleted} /> };
    default:
      return asked satisfies never;
  }
}

interface DeleteProps {
  readonly team: Team;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

function DeleteTeam({ team: { id, name, keys }, onClose, onDeleted }: DeleteProps) {
  const calls = useTeamCalls();
  async function run(): Promise<void> {
    await calls.delete(id);
    showDone(`Team “${name}” deleted.`);
    onDeleted?.();
  }
  return (
    <Confirm opened onClose={onClose} title="Delete this team?" action="Delete" danger run={run}>
      <Stack gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          This deletes the team <b>{name}</b> and its limits. The usage, costs and audit entries of its former keys do
          not change. You cannot undo this.
        </Text>
        {keys > 0 && (
          <Text size="sm">
            The team still has{' '}
            <Anchor component={Link} to={`/keys?team_id=${id}`} underline="always" inherit>
              {count(keys)} {plural(keys, 'key')}
            </Anchor>
            . Move {keys === 1 ? 'it' : 'them'} to another team first.
          </Text>
        )}
      </Stack>
    </Confirm>
  );
}
