import { Group, Text, Tooltip } from '@mantine/core';
import { clamped } from '../../parts/clamped';
import type { Column } from '../../parts/data-table';
import { Moment } from '../../parts/moment';
import { CATEGORIES, policyOf } from './availability.data';
import { CapabilityMarks } from './capability-marks';
import { AvailabilityBadge, PolicyBadge } from './model-badges';
import { ModelMenu, type AskForAction } from './model-menu';
import type { ModelRow } from './model-types';
import { ModelUpstreams } from './model-upstreams';

interface Options {
  /** null for viewers. */
  readonly ask: AskForAction | null;
  readonly operator: (id: string) => string;
  /** The gateway has several upstreams. */
  readonly upstreams: boolean;
  readonly costs: readonly Column<ModelRow>[];
}

export const modelColumns = ({ ask, operator, upstreams, costs }: Options): readonly Column<ModelRow>[] => [
  { header: 'Model', cell: (row) => <Name of={row} ask={ask} />, csv: ({ model }) => model },
  {
    header: 'Availability',
    cell: ({ availability }) => <AvailabilityBadge availability={availability} />,
    csv: ({ availability }) => availability,
  },
  { header: 'Policy', cell: (row) => <Policy of={row} operator={operator} />, csv: policyOf },
  { header: 'Provider', cell: ({ provider }) => provider ?? '–', csv: ({ provider }) => provider },
  ...(upstreams ? [UPSTREAMS] : []),
  {
    header: 'Category',
    cell: ({ category }) => (category === null ? '–' : CATEGORIES[category]),
    csv: ({ category }) => category,
  },
  { header: 'Capabilities', cell: CapabilityMarks, csv: ({ capabilities }) => capabilities.join(' ') },
  { header: 'Routes', cell: Routes, csv: ({ endpoints }) => endpoints.join(' ') },
  ...costs,
  { header: 'Policy updated', csv: ({ updated_at }) => updated_at },
  { header: 'Policy updated by', csv: ({ updated_by }) => updated_by },
  { header: 'Note', csv: ({ note }) => note },
];

const UPSTREAMS: Column<ModelRow> = {
  header: 'Upstreams',
  cell: ModelUpstreams,
  csv: ({ gw_upstreams }) => gw_upstreams?.join(' '),
};

interface NameProps {
  readonly of: ModelRow;
  readonly ask: AskForAction | null;
}

function Name({ of: row, ask }: NameProps) {
  return (
    <Group gap={4} wrap="nowrap" justify="space-between" miw={190} maw={360}>
      <Text size="sm" fw={500} {...clamped(row.model)}>
        {row.model}
      </Text>
      <ModelMenu of={row} ask={ask} />
    </Group>
  );
}

interface PolicyProps {
  readonly of: ModelRow;
  readonly operator: (id: string) => string;
}

const ACTORS: Readonly<Record<string, string>> = { admin_key: 'Admin key', system: 'Command line' };

function Policy({ of: { enabled, note, updated_at: at, updated_by: by }, operator }: PolicyProps) {
  return (
    <>
      <PolicyBadge enabled={enabled} />
      {by !== null && (
        <Text size="xs" c="dimmed" miw={160} maw={240} style={{ overflowWrap: 'anywhere' }}>
          {ACTORS[by] ?? operator(by)}, <Moment at={at} ago />
        </Text>
      )}
      {note !== null && (
        <Text size="xs" lineClamp={3} title={note} maw={240} style={{ overflowWrap: 'anywhere' }}>
          {note}
        </Text>
      )}
    </>
  );
}

function Routes({ endpoints }: ModelRow) {
  if (endpoints.length === 0) return '–';
  return (
    <Tooltip label={endpoints.join(', ')} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <span tabIndex={0} role="img" aria-label={endpoints.join(', ')}>
        {endpoints.length}
      </span>
    </Tooltip>
  );
}
