import { Badge } from '@mantine/core';
import type { Webhook } from './webhook-types';

/** Whether it is switched on, and else why not. */
export function WebhookState({ enabled, disabled_reason }: Pick<Webhook, 'enabled' | 'disabled_reason'>) {
  if (enabled)
    return (
      <Badge color="green" variant="light" miw="max-content">
        On
      </Badge>
    );
  if (disabled_reason === null)
    return (
      <Badge color="gray" variant="light" miw="max-content">
        Off
      </Badge>
    );
  return (
    <Badge color="red" variant="filled" miw="max-content">
      Off: kept failing
    </Badge>
  );
}
