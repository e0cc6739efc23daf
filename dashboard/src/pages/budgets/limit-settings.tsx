import { Paper, Stack, Title } from '@mantine/core';
import { FactsTable, type Fact } from '../../parts/facts-table';
import { Moment } from '../../parts/moment';
import type { Limit } from './limit-types';
import { MODES, RESERVED_MEASURES, RESERVES, WEIGHTED_MEASURES, ZONED_PERIODS } from './limit-words.data';
import { amountWithUnit, kindOf, zoneText } from './limit-words.rules';

export function LimitSettings({ of: limit }: { readonly of: Limit }) {
  return (
    <Paper withBorder p="md" component="section" aria-label="Settings" maw={720}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          Settings
        </Title>
        <FactsTable facts={factsOf(limit)} />
      </Stack>
    </Paper>
  );
}

function factsOf(limit: Limit): readonly Fact[] {
  const { measure, period, amount, models, mode, reserve, weights, alert_thresholds, carry_over } = limit;
  const zoned = period !== null && ZONED_PERIODS.has(period);
  return [
    { name: 'Measure', value: kindOf(limit) },
    { name: 'Amount', value: amountWithUnit(measure, amount) },
    ...(zoned ? [{ name: 'Time zone', value: zoneText(limit.time_zone) }] : []),
    { name: 'Models', value: models === null ? 'all' : models.join(', ') },
    { name: 'Mode', value: labelOf(MODES, mode) },
    ...(RESERVED_MEASURES.has(measure) ? [{ name: 'Reserve', value: labelOf(RESERVES, reserve) }] : []),
    ...(WEIGHTED_MEASURES.has(measure) && weights !== null
      ? [{ name: 'Weights', value: `cached input × ${weights.cached_input}, cache writes × ${weights.cache_write}` }]
      : []),
    { name: 'Starts', value: <Moment at={limit.starts_at} never="immediately" /> },
    { name: 'Ends', value: <Moment at={limit.ends_at} never="never" /> },
    { name: 'Alerts', value: alert_thresholds.length === 0 ? 'none' : `at ${alert_thresholds.join('%, ')}%` },
    { name: 'Carry-over', value: carry_over === null ? 'none' : `at most ${amountWithUnit(measure, carry_over)}` },
    { name: 'Created', value: <Moment at={limit.created_at} /> },
    { name: 'Updated', value: <Moment at={limit.updated_at} /> },
  ];
}

const labelOf = (choices: readonly { readonly value: string; readonly label: string }[], value: string): string =>
  choices.find((choice) => choice.value === value)?.label ?? value;
