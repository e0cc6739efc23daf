import { Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DialogFormEnd } from '../../parts/dialog-form-end';
import { PasswordHandover } from './password-handover';
import { useOperatorCalls, type NewOperator as Values } from './operator-calls';
import { PasswordField } from './password-field';
import { passwordProblem } from '../../parts/password-problem';
import { RoleField } from './role-field';
import { useSendingForm } from '../../parts/use-sending-form';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Creates an operator and shows the password. A click outside does not close the dialog. */
export function NewOperator({ opened, onClose }: Props) {
  const [created, setCreated] = useState<Values | null>(null);
  const close = () => {
    setCreated(null);
    onClose();
  };
  return (
    <Modal
      opened={opened || created !== null}
      onClose={close}
      title={created === null ? 'Create operator' : `${created.name} can sign in now`}
      size="lg"
      closeOnClickOutside={false}
      withCloseButton={created === null}
      closeOnEscape={created === null}
    >
      {created === null ? (
        <NewOperatorForm onCreated={setCreated} onCancel={close} />
      ) : (
        <PasswordHandover email={created.email} password={created.password} onDone={close} />
      )}
    </Modal>
  );
}

const EMPTY: Values = { email: '', name: '', role: 'viewer', password: '' };

const VALIDATION = {
  email: (email: string) => (/^\s*[^\s@]+@[^\s@]+\s*$/.test(email) ? null : 'Enter an email address.'),
  name: (name: string) => (name.trim() === '' ? 'Enter a name.' : null),
  password: passwordProblem,
};

interface FormProps {
  readonly onCreated: (operator: Values) => void;
  readonly onCancel: () => void;
}

function NewOperatorForm({ onCreated, onCancel }: FormProps) {
  const { create } = useOperatorCalls();
  const { form, busy, error, submit } = useSendingForm({
    initialValues: EMPTY,
    validate: VALIDATION,
    send: async ({ email, name, role, password }) => {
      const operator = { email: email.trim(), name: name.trim(), role, password };
      await create(operator);
      onCreated(operator);
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label="Email"
          description="Used for sign-in. It cannot be changed later."
          type="email"
          autoComplete="off"
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <TextInput label="Name" autoComplete="off" required {...form.getInputProps('name')} />
        <RoleField {...form.getInputProps('role')} />
        <PasswordField label="Initial password" form={form} />
        <DialogFormEnd error={error} onCancel={onCancel} submit="Create" busy={busy} />
      </Stack>
    </form>
  );
}
