import { Badge, Tooltip } from '@mantine/core';
import { STATUSES } from './upstream-status.data';
import type { UpstreamStatus as Status } from './upstream-types';

interface Props {
  readonly status: Status;
  /** Omits the tooltip, because the page already shows the explanation. */
  readonly plain?: boolean;
}

export function UpstreamStatus({ status, plain = false }: Props) {
  const { color, means } = STATUSES[status];
  const badge = (
    <Badge color={color} variant="dot" tt="none" fw={500} miw="max-content" tabIndex={plain ? undefined : 0}>
      {status}
    </Badge>
  );
  if (plain) return badge;
  return (
    <Tooltip label={means} multiline w={280} events={{ hover: true, focus: true, touch: true }}>
      {badge}
    </Tooltip>
  );
}
