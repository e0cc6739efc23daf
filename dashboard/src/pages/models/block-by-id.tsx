import { Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { ApiError } from '../../api/api-error';
import { DialogFormEnd } from '../../parts/dialog-form-end';
import { fieldMessageOf } from '../../parts/field-message';
import { showDone } from '../../parts/toasts';
import { BLOCKED_MEANS } from './model-actions.data';
import { NoteField } from './note-field';
import { setPolicy, useRefreshModels } from './model-calls';

const MODEL_MAX = 200;

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly model: string;
}

export function BlockById({ opened, onClose, model: given }: Props) {
  const [model, setModel] = useState(given);
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const refresh = useRefreshModels();
  const ofModel = error instanceof ApiError && error.param === 'model';

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await setPolicy(model.trim(), false, note);
      showDone(`${model.trim()} is blocked.`);
      refresh();
      onClose();
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Modal opened={opened} onClose={onClose} title="Block model by ID" centered>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Text size="sm">Enter the exact model ID. The provider does not have to list the model. {BLOCKED_MEANS}</Text>
          <TextInput
            label="Model ID"
            required
            maxLength={MODEL_MAX}
            value={model}
            error={ofModel ? fieldMessageOf(error.message) : null}
            onChange={(event) => setModel(event.currentTarget.value)}
            data-autofocus
          />
          <NoteField note={note} onChange={setNote} />
          <DialogFormEnd
            error={ofModel ? null : error}
            onCancel={onClose}
            submit="Block"
            busy={busy}
            color="red"
            disabled={model.trim() === ''}
          />
        </Stack>
      </form>
    </Modal>
  );
}
