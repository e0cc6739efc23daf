import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from '../../parts/confirm';
import { showDone } from '../../parts/toasts';
import { POLICY_ACTIONS, type PolicyAction } from './model-actions.data';
import { NoteField } from './note-field';
import { removePolicy, setPolicy, useRefreshModels } from './model-calls';
import type { ModelRow } from './model-types';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly action: PolicyAction;
  readonly of: ModelRow;
}

export function PolicyDialog({ opened, onClose, action, of: row }: Props) {
  const { title, verb, done, danger, means } = POLICY_ACTIONS[action];
  const [note, setNote] = useState(row.note ?? '');
  const refresh = useRefreshModels();

  async function run(): Promise<void> {
    try {
      if (action === 'remove') await removePolicy(row.model);
      else await setPolicy(row.model, action === 'note' ? row.enabled === true : action === 'allow', note);
      showDone(`${row.model} ${done}.`);
    } finally {
      // The model might have changed even after an error.
      refresh();
    }
  }

  return (
    <Confirm opened={opened} onClose={onClose} title={title} action={verb} danger={danger} run={run}>
      <Stack gap="xs">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {row.model}
        </Text>
        <Text size="sm">{means(row)}</Text>
        {action !== 'remove' && <NoteField note={note} onChange={setNote} />}
      </Stack>
    </Confirm>
  );
}
