import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Confirm } from '../../parts/confirm';
import { showDone } from '../../parts/toasts';
import { decide, type Decision, type LostChange } from './lost-change-calls';
import { changeText, targetText } from './lost-change-words';

/** A decision about one change, or about all that have none. */
export interface AskedDecision {
  readonly decision: Decision;
  readonly change: LostChange | 'all';
}

interface Words {
  readonly title: string;
  readonly action: string;
  readonly effect: string;
}

const WORDS: Readonly<Record<Decision, Words>> = {
  apply: {
    title: 'Apply',
    action: 'Apply',
    effect:
      'The gateway makes changes to keys and model policies again. It cannot repeat other changes: make them by hand, then discard them here.',
  },
  discard: {
    title: 'Discard',
    action: 'Discard',
    effect:
      'The state of the database applies. A revoked key can be valid again, and a rotated key has its old secret.',
  },
};

interface Props {
  readonly asked: AskedDecision | null;
  readonly onClose: () => void;
}

export function DecisionDialog({ asked, onClose }: Props) {
  const queries = useQueryClient();
  const { title, action, effect } = WORDS[asked?.decision ?? 'apply'];
  async function run(): Promise<void> {
    if (asked === null) return;
    const { change, decision } = asked;
    const { changes } = await decide(decision, change === 'all' ? undefined : [change.id]);
    showDone(
      `${changes.length === 1 ? '1 lost change' : `${changes.length} lost changes`} ${decision === 'apply' ? 'applied' : 'discarded'}.`,
    );
    await Promise.all(
      ['lost-changes', 'keys', 'models', 'audit'].map((name) => queries.invalidateQueries({ queryKey: [name] })),
    );
  }
  return (
    <Confirm
      opened={asked !== null}
      onClose={onClose}
      title={`${title} ${subjectOf(asked)}?`}
      action={action}
      danger={asked?.decision === 'discard'}
      run={run}
    >
      <Text size="sm">{effect}</Text>
    </Confirm>
  );
}

function subjectOf(asked: AskedDecision | null): string {
  if (asked === null || asked.change === 'all') return 'all lost changes';
  return `“${changeText(asked.change)}: ${targetText(asked.change)}”`;
}
