import { Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogFormEnd } from '../../parts/dialog-form-end';
import { PasswordHandover } from './password-handover';
import { useOperatorCalls } from './operator-calls';
import type { Operator } from './operator-types';
import { PasswordField } from './password-field';
import { passwordProblem } from '../../parts/password-problem';
import { useSendingForm } from '../../parts/use-sending-form';

interface Props {
  readonly operator: Operator;
  readonly onClose: () => void;
}

/** Sets another operator's password. This also ends that operator's sessions, which locks out an attacker. */
export function SetPassword({ operator, onClose }: Props) {
  const [password, setPassword] = useState<string | null>(null);
  return (
    <Modal
      opened
      onClose={onClose}
      title={password === null ? `New password for ${operator.email}` : 'Password set'}
      size="lg"
      closeOnClickOutside={false}
      withCloseButton={password === null}
      closeOnEscape={password === null}
    >
      {password === null ? (
        <PasswordForm operator={operator} onSet={setPassword} onCancel={onClose} />
      ) : (
        <PasswordHandover email={operator.email} password={password} onDone={onClose} />
      )}
    </Modal>
  );
}

interface FormProps {
  readonly operator: Operator;
  readonly onSet: (password: string) => void;
  readonly onCancel: () => void;
}

function PasswordForm({ operator: { id, name }, onSet, onCancel }: FormProps) {
  const { setPassword } = useOperatorCalls();
  const { form, busy, error, submit } = useSendingForm({
    initialValues: { password: '' },
    validate: { password: passwordProblem },
    send: async ({ password }) => {
      await setPassword(id, password);
      onSet(password);
    },
    fieldOf: ({ param }) => (param === 'new_password' ? 'password' : null),
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">All sessions of {name} end immediately, and the old password stops working.</Text>
        <PasswordField label="New password" form={form} />
        <DialogFormEnd error={error} onCancel={onCancel} submit="Set password" busy={busy} />
      </Stack>
    </form>
  );
}
