import { Alert, Anchor, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { CopyField } from '../../parts/copy-field';
import { LeaveGuard } from '../../parts/leave-guard';
import { HowToVerify } from './how-to-verify';
import type { CreatedWebhook } from './webhook-types';

interface Props {
  readonly webhook: CreatedWebhook;
  readonly onDone: () => void;
}

export function SecretOnce({ webhook: { id, secret }, onDone }: Props) {
  const [stored, setStored] = useState(false);
  return (
    <Stack>
      <Alert color="orange" title="Copy the secret now">
        <Text size="sm">
          It is not shown again. Your receiver needs it to verify that deliveries come from the gateway. If the secret
          is lost, delete this webhook and create a new one.
        </Text>
      </Alert>
      <CopyField label="Secret" value={secret} copy="Copy secret" onCopied={() => setStored(true)} />
      <Checkbox
        label="I have stored the secret"
        checked={stored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <HowToVerify />
      <Group justify="space-between">
        <Anchor component={Link} to={`/webhooks/${id}`} size="sm">
          Open webhook to send a test event
        </Anchor>
        <Button onClick={onDone} disabled={!stored}>
          Done
        </Button>
      </Group>
      <LeaveGuard when={!stored} title="The secret is not stored yet">
        The secret is not shown again. If you leave now, your receiver cannot verify the deliveries of this webhook.
      </LeaveGuard>
    </Stack>
  );
}
