import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { Column } from '../../parts/data-table';
import { Moment } from '../../parts/moment';
import { AuditTarget } from '../audit/audit-target';
import type { AskedDecision } from './decision-dialog';
import type { Decision, LostChange } from './lost-change-calls';
import { changeText, targetText } from './lost-change-words';

interface Deciding {
  /** Null without the role admin. */
  readonly ask: ((asked: AskedDecision) => void) | null;
  readonly nameOf: (decidedBy: string) => string;
}

export const lostChangeColumns = ({ ask, nameOf }: Deciding): readonly Column<LostChange>[] => [
  { header: 'Time', cell: ({ at }) => <Moment at={at} />, csv: ({ at }) => at },
  { header: 'Change', cell: (change) => <Change {...change} />, csv: ({ action }) => action },
  {
    header: 'Target',
    cell: (change) => <AuditTarget of={change} name={change.target_name ?? change.target_id} />,
    csv: ({ target_id }) => target_id,
  },
  { header: 'Detected', cell: ({ detected_at }) => <Moment at={detected_at} />, csv: ({ detected_at }) => detected_at },
  {
    header: 'Decision',
    cell: (change) =>
      change.decision === null ? <Choice change={change} ask={ask} /> : <Decided change={change} nameOf={nameOf} />,
    csv: ({ decision }) => decision,
  },
];

function Change(change: LostChange) {
  return (
    <Stack gap={0} miw={120}>
      <Text size="sm" fw={500}>
        {changeText(change)}
      </Text>
      <Text size="xs" c="dimmed">
        {change.remembered === null ? 'Not remembered' : `Remembered: ${change.remembered}`}
      </Text>
    </Stack>
  );
}

const CHOICES: readonly (readonly [Decision, string])[] = [
  ['apply', 'Apply'],
  ['discard', 'Discard'],
];

/** Only remembered changes can be applied on their own. */
function Choice({ change, ask }: { readonly change: LostChange; readonly ask: Deciding['ask'] }) {
  if (ask === null) return <Badge color="red">None</Badge>;
  return (
    <Group gap="xs" wrap="nowrap">
      {CHOICES.filter(([decision]) => decision === 'discard' || change.remembered !== null).map(([decision, label]) => (
        <Button
          key={decision}
          size="compact-sm"
          variant="default"
          aria-label={`${label}: ${changeText(change)}, ${targetText(change)}`}
          onClick={() => ask({ decision, change })}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
}

function Decided({ change, nameOf }: { readonly change: LostChange; readonly nameOf: Deciding['nameOf'] }) {
  return (
    <Stack gap={0} miw={120}>
      <Text size="sm">
        {change.decision} by {nameOf(change.decided_by ?? '')}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        <Moment at={change.decided_at} />
      </Text>
    </Stack>
  );
}
