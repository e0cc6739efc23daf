import { Group, Paper, Progress, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { count, percent } from '../../parts/numbers';

export interface Gauge {
  readonly label: string;
  readonly used: number;
  readonly limit: number | null;
  readonly resetsAt: string;
}

const NEAR = 80;
const FULL = 100;

export function QuotaGauge({ label, used, limit, resetsAt, aheadMs }: Gauge & { readonly aheadMs: number }) {
  const share = limit === null ? null : Math.min(FULL, (used / limit) * FULL);
  return (
    <Paper withBorder p="sm">
      <Text size="sm">{label}</Text>
      <Group gap="0 6px" align="baseline">
        <Text fw={700} size="xl">
          {count(used)}
        </Text>
        <Text size="sm">{limit === null ? 'no limit' : `of ${count(limit)}`}</Text>
      </Group>
      {share !== null && (
        <Progress
          value={share}
          color={share >= FULL ? 'red' : share >= NEAR ? 'orange' : undefined}
          aria-label={`${label}: ${percent(share)} used`}
          my={6}
        />
      )}
      <Text size="xs">
        <Countdown to={Date.parse(resetsAt) - aheadMs} />
      </Text>
    </Paper>
  );
}

/** @param to milliseconds on the browser's clock */
function Countdown({ to }: { readonly to: number }) {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), 1000, { autoInvoke: true });
  const seconds = Math.max(0, Math.ceil((to - now) / 1000));
  return seconds === 0 ? 'Resets now' : `Resets in ${spanOf(seconds)}`;
}

function spanOf(seconds: number): string {
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
