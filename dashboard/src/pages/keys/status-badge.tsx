import { Badge, Group } from '@mantine/core';
import type { ApiKey } from './key-types';

const COLORS = { active: 'green', suspended: 'orange', revoked: 'gray', expired: 'red' } as const;

/** Shows the effective status. The API reports an expired key as `active`, although the gateway rejects it. */
export function StatusBadge({ status, is_expired: expired }: Pick<ApiKey, 'status' | 'is_expired'>) {
  const shown =
    status === 'active' && expired
      ? (['expired'] as const)
      : status === 'suspended' && expired
        ? ([status, 'expired'] as const)
        : ([status] as const);
  return (
    <Group gap={4} wrap="nowrap">
      {shown.map((name) => (
        <Badge key={name} color={COLORS[name]} variant="dot" tt="none" fw={500} miw="max-content">
          {name}
        </Badge>
      ))}
    </Group>
  );
}

export const statusText = ({ status, is_expired }: ApiKey): string =>
  status === 'active' && is_expired ? 'expired' : status;
