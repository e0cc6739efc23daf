import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from '../../parts/confirm';
import { count, plural } from '../../parts/numbers';
import { showDone } from '../../parts/toasts';
import { useSessionCalls } from './session-queries';

interface Props {
  readonly operatorId: string;
  /** The email of another operator. null ends the operator's own sessions, except the current one. */
  readonly whose: string | null;
}

export function EndAllSessions({ operatorId, whose }: Props) {
  const calls = useSessionCalls();
  const [asked, setAsked] = useState(false);
  const action = whose === null ? 'End all other sessions' : 'End all sessions';
  async function run(): Promise<void> {
    const { ended } = await calls.endAll(operatorId);
    showDone(`${count(ended)} ${plural(ended, 'session')} ended.`);
  }
  return (
    <>
      <Button size="compact-sm" variant="outline" color="red" onClick={() => setAsked(true)}>
        {action}
      </Button>
      <Confirm opened={asked} onClose={() => setAsked(false)} title={`${action}?`} action={action} danger run={run}>
        <Text size="sm">
          {whose === null
            ? 'All your other devices must sign in again. This session continues.'
            : `All devices of ${whose} must sign in again. To lock the operator out, also set a new password or disable the account.`}
        </Text>
      </Confirm>
    </>
  );
}
