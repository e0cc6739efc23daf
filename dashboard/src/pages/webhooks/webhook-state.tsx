import { Badge } from '@mantine/core';
import type { Webhook } from './webhook-types';

export function WebhookState({ enabled, disabled_reason }: Pick<Webhook, 'enabled' | 'disabled_reason'>) {
  if (enabled)
    return (
      <Badge color="green" variant="light" miw="max-content">
        Enabled
      </Badge>
    );
  if (disabled_reason === null)
    return (
      <Badge color="gray" variant="light" miw="max-content">
        Disabled
      </Badge>
    );
  return (
    <Badge color="red" variant="filled" miw="max-content">
      Disabled: failing
    </Badge>
  );
}
