import { Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Confirm } from '../../parts/confirm';
import { showDone } from '../../parts/toasts';
import { KEY_ACTIONS } from './key-action.data';
import { act, type KeyAction } from './key-calls';
import { useRefresh } from './key-queries';
import type { ApiKey } from './key-types';
import { RotatedKey } from './rotated-key';
import { typedName } from './typed-name';

export type AskForAction = (action: KeyAction, key: ApiKey) => void;

interface Issued {
  readonly of: ApiKey;
  readonly secret: string;
}

/** Confirms and runs the actions on a key. The page holds the dialogs, because a refetch can remove the row. */
export function useKeyActions(): { readonly ask: AskForAction; readonly dialogs: ReactNode } {
  const [asked, setAsked] = useState<{ action: KeyAction; key: ApiKey } | null>(null);
  const [opened, setOpened] = useState(false);
  const [issued, setIssued] = useState<Issued | null>(null);
  const refresh = useRefresh();

  async function run(action: KeyAction, key: ApiKey): Promise<void> {
    try {
      const secret = await act(action, key.id);
      if (secret === null) showDone(`Key “${key.name}” ${KEY_ACTIONS[action].done}.`);
      else setIssued({ of: key, secret });
    } finally {
      // The key might have changed even after an error.
      refresh();
    }
  }

  const dialogs = (
    <>
      {asked !== null && (
        <Confirm
          opened={opened}
          onClose={() => setOpened(false)}
          title={`${KEY_ACTIONS[asked.action].verb} this key?`}
          action={KEY_ACTIONS[asked.action].verb}
          danger={KEY_ACTIONS[asked.action].danger}
          typed={asked.action === 'revoke' ? typedName(asked.key) : undefined}
          run={() => run(asked.action, asked.key)}
        >
          <WhatItMeans action={asked.action} of={asked.key} />
        </Confirm>
      )}
      {issued !== null && <RotatedKey {...issued} onClose={() => setIssued(null)} />}
    </>
  );
  const ask: AskForAction = (action, key) => {
    setAsked({ action, key });
    setOpened(true);
  };
  return { ask, dialogs };
}

function WhatItMeans({ action, of: key }: { readonly action: KeyAction; readonly of: ApiKey }) {
  return (
    <Stack gap="xs">
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {key.name}{' '}
        <Text span size="sm" ff="monospace" fw={400}>
          {key.key_hint}
        </Text>
      </Text>
      <Text size="sm">{KEY_ACTIONS[action].means}</Text>
    </Stack>
  );
}
