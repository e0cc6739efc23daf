import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { clamped } from '../../parts/clamped';
import type { Column } from '../../parts/data-table';
import { Moment } from '../../parts/moment';
import { LimitBadges, stateText } from './limit-badges';
import { LimitModels } from './limit-card';
import { LimitGaugeBar } from './limit-gauge-bar';
import { LimitMenu } from './limit-menu';
import { LimitTarget, targetText, type TargetNames } from './limit-target';
import type { Limit } from './limit-types';
import { LimitUsage } from './limit-usage';
import { forecastText, kindOf, titleOf } from './limit-words.rules';
import type { AskForLimit } from './use-limit-dialogs';

/** @param ask null for an operator who must not change limits */
export const limitColumns = (names: TargetNames, ask: AskForLimit | null): readonly Column<Limit>[] => [
  { header: 'Limit', cell: (limit) => <Name of={limit} names={names} />, csv: titleOf },
  { header: 'ID', csv: ({ id }) => id },
  { header: 'Target', csv: (limit) => targetText(limit, names) },
  { header: 'Measure', csv: ({ measure }) => measure },
  { header: 'Period', csv: ({ period }) => period },
  { header: 'Models', csv: ({ models }) => models?.join(' ') ?? 'all' },
  { header: 'State', csv: stateText },
  { header: 'Usage', cell: (limit) => <Usage of={limit} /> },
  { header: 'Used', csv: ({ used }) => used },
  { header: 'Reserved', csv: ({ reserved }) => reserved },
  { header: 'Amount', csv: ({ effective_amount }) => effective_amount },
  { header: 'Forecast', cell: Forecast, csv: ({ forecast }) => forecast?.reached_at },
  { header: 'Resets', wide: true, cell: Resets, csv: ({ resets_at }) => resets_at },
  ...(ask === null
    ? []
    : [{ header: 'Actions', align: 'right' as const, cell: (limit: Limit) => <LimitMenu of={limit} ask={ask} /> }]),
];

function Name({ of: limit, names }: { readonly of: Limit; readonly names: TargetNames }) {
  return (
    <Stack gap={2} miw={140} maw={300}>
      <Anchor component={Link} to={`/budgets/${limit.id}`} size="sm" fw={500} {...clamped(titleOf(limit))}>
        {titleOf(limit)}
      </Anchor>
      <LimitTarget of={limit} names={names} />
      {limit.name !== null && <Text size="xs">{kindOf(limit)}</Text>}
      <LimitModels models={limit.models} />
      <LimitBadges of={limit} />
    </Stack>
  );
}

const Usage = ({ of: limit }: { readonly of: Limit }) => (
  <Stack gap={4} miw={170} maw={320}>
    <LimitUsage of={limit} />
    <LimitGaugeBar of={limit} />
  </Stack>
);

const Forecast = (limit: Limit) => (
  <Text size="sm" miw={110} maw={200}>
    {forecastText(limit, Date.now()) ?? '–'}
  </Text>
);

const Resets = ({ resets_at }: Limit) => (
  <span style={{ whiteSpace: 'nowrap' }}>
    <Moment at={resets_at} ago />
  </span>
);
