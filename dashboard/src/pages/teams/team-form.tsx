import { Modal, Stack, TextInput } from '@mantine/core';
import { DialogFormEnd } from '../../parts/dialog-form-end';
import { TagsField } from '../../parts/tags-field';
import { showDone } from '../../parts/toasts';
import { useSendingForm } from '../../parts/use-sending-form';
import { useTeamCalls } from './team-calls';
import type { Team, TeamSettings } from './team-types';

interface Props {
  /** null creates a team. */
  readonly team: Team | null;
  readonly onClose: () => void;
}

/** A click outside the dialog does not close it, because the input would be lost. */
export function TeamForm({ team, onClose }: Props) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={team === null ? 'Create team' : `Edit team “${team.name}”`}
      size="lg"
      closeOnClickOutside={false}
    >
      <Fields team={team} onClose={onClose} />
    </Modal>
  );
}

const NAME_MAX = 255;

function Fields({ team, onClose }: Props) {
  const save = useSave(team);
  const { form, busy, error, submit } = useSendingForm<TeamSettings>({
    initialValues: { name: team?.name ?? '', tags: team?.tags ?? [] },
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name.' : null) },
    send: async (values) => {
      await save(values);
      onClose();
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label="Name"
          autoComplete="off"
          required
          maxLength={NAME_MAX}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TagsField {...form.getInputProps('tags')} />
        <DialogFormEnd
          error={error}
          onCancel={onClose}
          submit={team === null ? 'Create' : 'Save'}
          busy={busy}
          disabled={team !== null && !form.isDirty()}
        />
      </Stack>
    </form>
  );
}

/** Sends only the changed fields, so that the update does not overwrite another operator's changes. */
function useSave(team: Team | null): (values: TeamSettings) => Promise<void> {
  const calls = useTeamCalls();
  return async ({ name: typed, tags }) => {
    const name = typed.trim();
    if (team === null) {
      await calls.create({ name, tags });
      showDone(`Team “${name}” created.`);
      return;
    }
    await calls.update(team.id, {
      ...(name === team.name ? {} : { name }),
      ...(tags.join() === team.tags.join() ? {} : { tags }),
    });
    showDone(`Team “${name}” saved.`);
  };
}
