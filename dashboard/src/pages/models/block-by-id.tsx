import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { ApiError } from '../../api/api-error';
import { ErrorNotice } from '../../parts/error-notice';
import { fieldMessageOf } from '../../parts/field-message';
import { showDone } from '../../parts/toasts';
import { BLOCKED_MEANS } from './model-actions.data';
import { setPolicy, useRefreshModels } from './model-calls';

const MODEL_MAX = 200;
const NOTE_MAX = 1000;

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** What stands in the field when it opens. */
  readonly model: string;
}

/** For a model that is not in the catalog, or not yet. What was typed stays when the call fails. */
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
    <Modal opened={opened} onClose={onClose} title="Block a model by id" centered>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Text size="sm">
            The id has to be the same to the letter, whether or not the provider lists it. {BLOCKED_MEANS}
          </Text>
          <TextInput
            label="Model id"
            required
            maxLength={MODEL_MAX}
            value={model}
            error={ofModel ? fieldMessageOf(error.message) : null}
            onChange={(event) => setModel(event.currentTarget.value)}
            data-autofocus
          />
          <Textarea
            label="Note"
            description="Why, for the other operators. Optional."
            maxLength={NOTE_MAX}
            autosize
            minRows={2}
            maxRows={6}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          {error !== null && !ofModel && <ErrorNotice error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={busy} disabled={model.trim() === ''}>
              Block
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
