import { Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';
import { Confirm } from '../../parts/confirm';
import { showDone } from '../../parts/toasts';
import { signOut } from '../../session/session-calls';
import { deviceOf } from './device';
import type { Session } from './session-types';

interface Props {
  readonly session: Session;
  /** Name of the other operator; null for the operator's own session. */
  readonly whose: string | null;
  readonly onClose: () => void;
}

/** Ends a session. The current one ends by sign-out, which also deletes the cookie. */
export function EndSession({ session: { id, current, user_agent, ip }, whose, onClose }: Props) {
  const queries = useQueryClient();
  async function run(): Promise<void> {
    if (current) {
      await signOut();
      return;
    }
    try {
      await responseBodyOf(api.DELETE('/admin/sessions/{id}', { params: { path: { id } } }));
      showDone('Session ended.');
    } finally {
      void queries.invalidateQueries({ queryKey: ['sessions'] });
    }
  }
  return (
    <Confirm
      opened
      onClose={onClose}
      title={current ? 'Sign out?' : 'End this session?'}
      action={current ? 'Sign out' : 'End session'}
      run={run}
    >
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          {deviceOf(user_agent)}, {ip ?? 'unknown IP address'}
          {whose === null ? '' : `, ${whose}`}
        </Text>
        <Text size="sm">
          {current
            ? 'This is your current session. Ending it signs you out.'
            : 'This device must sign in again. If the session looks suspicious, also change the password.'}
        </Text>
      </Stack>
    </Confirm>
  );
}
