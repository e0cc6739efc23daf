import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ErrorNotice } from './error-notice';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
  readonly danger?: boolean;
  /** The operator must type this text before an action that cannot be undone. */
  readonly typed?: string;
  readonly run: () => Promise<void>;
}

export function Confirm({ opened, onClose, title, children, action, danger = false, typed, run }: Props) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  function close(): void {
    setText('');
    setError(null);
    onClose();
  }

  async function confirmed(): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await run();
      close();
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Modal opened={opened} onClose={close} title={title} centered>
      <Stack>
        <div>{children}</div>
        {typed !== undefined && (
          <TextInput
            label={`Type “${typed}” to confirm`}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
          />
        )}
        {error !== null && <ErrorNotice error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            color={danger ? 'red' : undefined}
            loading={busy}
            disabled={typed !== undefined && text !== typed}
            onClick={() => void confirmed()}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
