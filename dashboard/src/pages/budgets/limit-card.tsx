import { Anchor, Group, Paper, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { clamped } from '../../parts/clamped';
import { Moment } from '../../parts/moment';
import { LimitBadges } from './limit-badges';
import { LimitGaugeBar } from './limit-gauge-bar';
import { LimitTarget, type TargetNames } from './limit-target';
import type { Limit } from './limit-types';
import { LimitUsage } from './limit-usage';
import { forecastText, kindOf, titleOf } from './limit-words.rules';

interface Props {
  readonly of: Limit;
  readonly names: TargetNames;
}

export function LimitCard({ of: limit, names }: Props) {
  const forecast = forecastText(limit, Date.now());
  return (
    <Paper withBorder p="sm" component="article" aria-label={titleOf(limit)}>
      <Stack gap={6}>
        <Group justify="space-between" gap={6} align="flex-start">
          <Anchor component={Link} to={`/budgets/${limit.id}`} size="sm" fw={500} {...clamped(titleOf(limit))}>
            {titleOf(limit)}
          </Anchor>
          <LimitBadges of={limit} />
        </Group>
        <div>
          <LimitTarget of={limit} names={names} />
          {limit.name !== null && <Text size="xs">{kindOf(limit)}</Text>}
          <LimitModels models={limit.models} />
        </div>
        <LimitUsage of={limit} />
        <LimitGaugeBar of={limit} />
        <Text size="xs" component="div">
          {forecast !== null && <div>{forecast}</div>}
          {limit.resets_at !== null && (
            <div>
              Resets <Moment at={limit.resets_at} ago />
            </div>
          )}
        </Text>
      </Stack>
    </Paper>
  );
}

export function LimitModels({ models }: Pick<Limit, 'models'>) {
  if (models === null) return null;
  const text = models.join(', ');
  return (
    <Text size="xs" {...clamped(text)}>
      Models: {text}
    </Text>
  );
}
