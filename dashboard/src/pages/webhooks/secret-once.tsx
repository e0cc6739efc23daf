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

/** The secret of a new webhook, in the one moment in which it is shown. */
export function SecretOnce({ webhook: { id, secret }, onDone }: Props) {
  const [stored, setStored] = useState(false);
  return (
    <Stack>
      <Alert color="orange" title="Copy the secret now">
        <Text size="sm">
          It is not shown again. Your receiver needs it to check that a message is the gateway’s own. If it gets lost,
          delete this webhook and make another.
        </Text>
      </Alert>
      <CopyField label="Secret" value={secret} copy="Copy the secret" onCopied={() => setStored(true)} />
      <Checkbox
        label="I have stored the secret"
        checked={stored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <HowToVerify />
      <Group justify="space-between">
        <Anchor component={Link} to={`/webhooks/${id}`} size="sm">
          Open the webhook, to send a test
        </Anchor>
        <Button onClick={onDone} disabled={!stored}>
          Done
        </Button>
      </Group>
      <LeaveGuard when={!stored} title="The secret is not stored yet">
        It is not shown again. Leave without it, and this webhook’s messages cannot be checked.
      </LeaveGuard>
    </Stack>
  );
}
