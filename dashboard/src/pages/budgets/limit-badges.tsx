import { Badge, Group } from '@mantine/core';
import type { Limit } from './limit-types';
import { dateInWords, stateOf } from './limit-words.rules';

/** Marks a limit that rejects nothing now, or that is reached. */
export function LimitBadges({ of: limit }: { readonly of: Limit }) {
  const nowMs = Date.now();
  const state = stateOf(limit, nowMs);
  if (state === 'active' && limit.mode === 'enforce') return null;
  return (
    <Group gap={4}>
      {state === 'paused' && <Mark color="gray" text="paused" />}
      {state === 'ended' && <Mark color="gray" text="ended" />}
      {state === 'scheduled' && <Mark color="gray" text={`starts ${dateInWords(limit.starts_at!, nowMs)}`} />}
      {state === 'reached' && <Mark color="red" text="reached" />}
      {limit.mode === 'observe' && <Mark color="indigo" text="observe only" />}
    </Group>
  );
}

export const stateText = (limit: Limit): string =>
  [stateOf(limit, Date.now()), ...(limit.mode === 'observe' ? ['observe only'] : [])].join(', ');

const Mark = ({ color, text }: { readonly color: string; readonly text: string }) => (
  <Badge size="sm" variant="light" color={color} tt="none" miw="max-content">
    {text}
  </Badge>
);
