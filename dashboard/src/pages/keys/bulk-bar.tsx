import { Button, Group, List, Paper, ScrollArea, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from '../../parts/confirm';
import { showDone } from '../../parts/toasts';
import { BulkResult, type BulkReport } from './bulk-result';
import { KEY_ACTIONS } from './key-action.data';
import { actOnAll, type BulkAction } from './key-calls';
import { useRefresh } from './key-queries';
import type { ApiKey } from './key-types';

const ACTIONS: readonly BulkAction[] = ['suspend', 'unsuspend', 'revoke'];

interface Props {
  readonly selected: readonly ApiKey[];
  readonly select: (ids: ReadonlySet<string>) => void;
}

export function BulkBar({ selected, select }: Props) {
  const [asked, setAsked] = useState<{ action: BulkAction; keys: readonly ApiKey[] } | null>(null);
  const [opened, setOpened] = useState(false);
  const [report, setReport] = useState<BulkReport | null>(null);
  const refresh = useRefresh();

  async function run(action: BulkAction, keys: readonly ApiKey[]): Promise<void> {
    try {
      const ids = keys.map(({ id }) => id);
      const outcome = await actOnAll(action, ids);
      select(new Set(outcome.failed.map(({ id }) => id)));
      if (outcome.failed.length === 0) showDone(`${keysText(outcome.succeeded.length)} ${KEY_ACTIONS[action].done}.`);
      else setReport({ action, keys, outcome });
    } finally {
      refresh();
    }
  }

  return (
    <>
      {selected.length > 0 && (
        <Bar
          text={`${keysText(selected.length)} selected`}
          ask={(action) => {
            setAsked({ action, keys: selected });
            setOpened(true);
          }}
          clear={() => select(new Set())}
        />
      )}
      {asked !== null && (
        <Confirm
          opened={opened}
          onClose={() => setOpened(false)}
          title={`${KEY_ACTIONS[asked.action].verb} ${keysText(asked.keys.length)}?`}
          action={`${KEY_ACTIONS[asked.action].verb} ${keysText(asked.keys.length)}`}
          danger={KEY_ACTIONS[asked.action].danger}
          typed={asked.action === 'revoke' ? `revoke ${keysText(asked.keys.length)}` : undefined}
          run={() => run(asked.action, asked.keys)}
        >
          <Names {...asked} />
        </Confirm>
      )}
      {report !== null && <BulkResult {...report} onClose={() => setReport(null)} />}
    </>
  );
}

interface BarProps {
  readonly text: string;
  readonly ask: (action: BulkAction) => void;
  readonly clear: () => void;
}

function Bar({ text, ask, clear }: BarProps) {
  return (
    <Paper withBorder p="xs" role="region" aria-label="Selected keys">
      <Group gap="xs">
        <Text size="sm" fw={600} px="xs" aria-live="polite">
          {text}
        </Text>
        {ACTIONS.map((action) => (
          <Button
            key={action}
            size="xs"
            variant="default"
            c={action === 'revoke' ? 'red' : undefined}
            onClick={() => ask(action)}
          >
            {KEY_ACTIONS[action].verb}
          </Button>
        ))}
        <Button size="xs" variant="subtle" onClick={clear}>
          Clear selection
        </Button>
      </Group>
    </Paper>
  );
}

function Names({ action, keys }: { readonly action: BulkAction; readonly keys: readonly ApiKey[] }) {
  return (
    <Stack gap="xs">
      <Text size="sm">{KEY_ACTIONS[action].means}</Text>
      <ScrollArea.Autosize mah={200} viewportProps={{ tabIndex: 0, 'aria-label': 'Key names' }}>
        <List size="sm">
          {keys.map(({ id, name, key_hint }) => (
            <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
              {name}{' '}
              <Text span size="xs" ff="monospace">
                {key_hint}
              </Text>
            </List.Item>
          ))}
        </List>
      </ScrollArea.Autosize>
    </Stack>
  );
}

const keysText = (keys: number): string => `${keys} ${keys === 1 ? 'key' : 'keys'}`;
