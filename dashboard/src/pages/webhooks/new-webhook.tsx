import { Drawer, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { DialogFormEnd } from '../../parts/dialog-form-end';
import { SecretOnce } from './secret-once';
import { useWebhookCalls } from './webhook-calls';
import { WebhookFields } from './webhook-fields';
import type { CreatedWebhook } from './webhook-types';
import { useWebhookForm } from './use-webhook-form';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Creates a webhook and shows its secret. A click outside does not close the drawer. */
export function NewWebhook({ opened, onClose }: Props) {
  const [created, setCreated] = useState<CreatedWebhook | null>(null);
  const close = () => {
    setCreated(null);
    onClose();
  };
  return (
    <Drawer
      opened={opened || created !== null}
      onClose={close}
      position="right"
      size="lg"
      title={created === null ? 'Create webhook' : 'Webhook created'}
      withCloseButton={created === null}
      closeOnEscape={created === null}
      closeOnClickOutside={false}
    >
      {created === null ? (
        <NewWebhookForm onCreated={setCreated} onCancel={close} />
      ) : (
        <SecretOnce webhook={created} onDone={close} />
      )}
    </Drawer>
  );
}

interface FormProps {
  readonly onCreated: (webhook: CreatedWebhook) => void;
  readonly onCancel: () => void;
}

function NewWebhookForm({ onCreated, onCancel }: FormProps) {
  const { create } = useWebhookCalls();
  const [enabled, setEnabled] = useState(true);
  const { form, busy, error, submit } = useWebhookForm({ url: '', events: ['*'] }, async (settings) =>
    onCreated(await create({ ...settings, enabled })),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <WebhookFields form={form} />
        <Switch
          label="Enabled"
          description="A disabled webhook receives only test events and manual retries."
          checked={enabled}
          onChange={(event) => setEnabled(event.currentTarget.checked)}
        />
        <DialogFormEnd error={error} onCancel={onCancel} submit="Create" busy={busy} />
      </Stack>
    </form>
  );
}
