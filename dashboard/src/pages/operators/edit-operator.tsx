import { Alert, Modal, Stack, Switch, TextInput } from '@mantine/core';
import { DialogFormEnd } from '../../parts/dialog-form-end';
import { showDone } from '../../parts/toasts';
import { useOperatorCalls } from './operator-calls';
import type { Operator } from './operator-types';
import { RoleField } from './role-field';
import { useSendingForm } from '../../parts/use-sending-form';

interface Props {
  readonly operator: Operator;
  readonly own: boolean;
  readonly onClose: () => void;
}

export function EditOperator({ operator, own, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title={`Edit ${operator.email}`} size="lg" closeOnClickOutside={false}>
      <EditForm operator={operator} own={own} onClose={onClose} />
    </Modal>
  );
}

function EditForm({ operator, own, onClose }: Props) {
  const { form, busy, error, submit } = useEditing(operator, onClose);
  const { role, disabled } = form.values;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput label="Name" autoComplete="off" required data-autofocus {...form.getInputProps('name')} />
        <RoleField {...form.getInputProps('role')} />
        <Switch
          label="Disabled"
          description="A disabled operator cannot sign in, and all sessions end immediately. The account and its history are kept."
          {...form.getInputProps('disabled', { type: 'checkbox' })}
        />
        {own && (disabled || role !== 'owner') && (
          <Alert color="orange" title="This is your own account">
            {disabled ? 'Saving signs you out.' : 'After saving, you can no longer access this page.'}
          </Alert>
        )}
        <DialogFormEnd error={error} onCancel={onClose} submit="Save" busy={busy} disabled={!form.isDirty()} />
      </Stack>
    </form>
  );
}

/** Sends only the changed fields, so that the update does not overwrite another owner's changes. */
function useEditing({ id, name, role, disabled }: Operator, onClose: () => void) {
  const { update } = useOperatorCalls();
  return useSendingForm({
    initialValues: { name, role, disabled },
    validate: { name: (text) => (text.trim() === '' ? 'Enter a name.' : null) },
    send: async (values) => {
      const after = await update(id, {
        ...(values.name === name ? {} : { name: values.name.trim() }),
        ...(values.role === role ? {} : { role: values.role }),
        ...(values.disabled === disabled ? {} : { disabled: values.disabled }),
      });
      onClose();
      showDone(`Operator “${after.name}” saved.`);
    },
  });
}
