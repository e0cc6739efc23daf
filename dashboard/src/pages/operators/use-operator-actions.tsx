import { Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Confirm } from '../../parts/confirm';
import { showDone } from '../../parts/toasts';
import { EditOperator } from './edit-operator';
import { OperatorSessions } from './operator-sessions';
import { useOperatorCalls } from './operator-calls';
import type { AskFor, OperatorAction } from './operator-columns';
import type { Operator } from './operator-types';
import { SetPassword } from './set-password';

/** The page holds the dialogs, because a refetch can remove the row. */
export function useOperatorActions(ownId: string): { readonly ask: AskFor; readonly dialogs: ReactNode } {
  const [asked, setAsked] = useState<{ action: OperatorAction; operator: Operator } | null>(null);
  const close = () => setAsked(null);
  const ask: AskFor = (action, operator) => setAsked({ action, operator });
  if (asked === null) return { ask, dialogs: null };
  const { action, operator } = asked;
  const own = operator.id === ownId;
  switch (action) {
    case 'edit':
      return { ask, dialogs: <EditOperator operator={operator} own={own} onClose={close} /> };
    case 'password':
      return { ask, dialogs: <SetPassword operator={operator} onClose={close} /> };
    case 'sessions':
      return { ask, dialogs: <OperatorSessions operator={operator} own={own} onClose={close} /> };
    case 'delete':
      return { ask, dialogs: <DeleteOperator operator={operator} own={own} onClose={close} /> };
    default:
      return action satisfies never;
  }
}

interface Props {
  readonly operator: Operator;
  readonly own: boolean;
  readonly onClose: () => void;
}

function DeleteOperator({ operator: { id, email, name }, own, onClose }: Props) {
  const calls = useOperatorCalls();
  async function run(): Promise<void> {
    await calls.delete(id);
    showDone(`Operator ${email} deleted.`);
  }
  return (
    <Confirm
      opened
      onClose={onClose}
      title="Delete this operator?"
      action="Delete permanently"
      danger
      typed={email}
      run={run}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {own ? <b>This is your own account. You will be signed out immediately. </b> : null}
        This deletes the account of <b>{name}</b> and ends all its sessions. You cannot undo this. The audit log keeps
        its entries. To block sign-in temporarily, disable the account instead.
      </Text>
    </Confirm>
  );
}
