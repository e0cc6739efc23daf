import { Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client';
import { Confirm } from '../../parts/confirm';
import { showDone } from '../../parts/toasts';
import { signOut } from '../../session/session-calls';
import { deviceOf } from './device';
import type { Session } from './session-types';

interface Props {
  readonly session: Session;
  /** Of whom it is; null: one's own. */
  readonly whose: string | null;
  readonly onClose: () => void;
}

/** Ends a session; one's present one by signing out, which also takes the cookie away. */
export function EndSession({ session: { id, current, user_agent, ip }, whose, onClose }: Props) {
  const queries = useQueryClient();
  async function run(): Promise<void> {
    if (current) {
      await signOut();
      return;
    }
    try {
      await answerOf(api.DELETE('/admin/sessions/{id}', { params: { path: { id } } }));
      showDone('The session has ended.');
    } finally {
      void queries.invalidateQueries({ queryKey: ['sessions'] });
    }
  }
  return (
    <Confirm
      opened
      onClose={onClose}
      title={current ? 'Sign out here?' : 'End the session?'}
      action={current ? 'Sign out' : 'End the session'}
      run={run}
    >
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          {deviceOf(user_agent)}, {ip ?? 'unknown address'}
          {whose === null ? '' : `, ${whose}`}
        </Text>
        <Text size="sm">
          {current
            ? 'This is the session that you are using: ending it signs you out.'
            : 'Whoever uses it has to sign in again. Change the password as well if it was not you.'}
        </Text>
      </Stack>
    </Confirm>
  );
}
