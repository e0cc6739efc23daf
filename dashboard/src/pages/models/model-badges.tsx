import { Badge, Tooltip } from '@mantine/core';
import { AVAILABILITIES, policyOf } from './availability.data';
import type { Availability, ModelRow } from './model-types';

const EVENTS = { hover: true, focus: true, touch: true } as const;
const POLICY_COLORS = { allowed: 'green', blocked: 'red' } as const;

interface AvailabilityProps {
  readonly availability: Availability;
  /** Omits the tooltip, because the page already shows the explanation. */
  readonly plain?: boolean;
}

export function AvailabilityBadge({ availability, plain = false }: AvailabilityProps) {
  const { label, color, means } = AVAILABILITIES[availability];
  const badge = (
    <Badge color={color} variant="dot" tt="none" fw={500} miw="max-content" tabIndex={plain ? undefined : 0}>
      {label}
    </Badge>
  );
  if (plain) return badge;
  return (
    <Tooltip label={means} multiline w={280} events={EVENTS}>
      {badge}
    </Tooltip>
  );
}

export function PolicyBadge({ enabled }: Pick<ModelRow, 'enabled'>) {
  const policy = policyOf({ enabled });
  if (policy === 'none') return 'none';
  return (
    <Badge color={POLICY_COLORS[policy]} variant="dot" tt="none" fw={500} miw="max-content">
      {policy}
    </Badge>
  );
}
