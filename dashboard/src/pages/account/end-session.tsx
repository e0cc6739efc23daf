import { Stack, Text } from '@mantine/core';
import { Confirm } from '../../parts/confirm';
import { showDone } from '../../parts/toasts';
import { signOut } from '../../session/session-calls';
import { deviceOf } from './device';
import { useSessionCalls } from './session-queries';
import type { Session } from './session-types';

interface Props {
  readonly session: Session;
  /** The name of the other operator, or null for the operator's own session. */
  readonly whose: string | null;
  readonly onClose: () => void;
}

/** Ends a session. The current one ends by sign-out, which also deletes the cookie. */
export function EndSession({ session: { id, current, user_agent, ip }, whose, onClose }: Props) {
  const calls = useSessionCalls();
  async function run(): Promise<void> {
    if (current) {
      await signOut();
      return;
    }
    await calls.end(id);
    showDone('Session ended.');
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
