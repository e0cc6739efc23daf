import { Button, Group, Paper, Stack, Title } from '@mantine/core';
import { ErrorNotice } from '../../parts/error-notice';
import { EditConflict } from './edit-conflict';
import { KeyFields } from './key-fields';
import type { ApiKey } from './key-types';
import { LeaveGuard } from '../../parts/leave-guard';
import { useKeyEdit } from './use-key-edit';

interface Props {
  readonly of: ApiKey;
  readonly onDone: () => void;
}

export function KeyEdit({ of: key, onDone }: Props) {
  const { form, busy, error, submit, changed, conflict, settle } = useKeyEdit(key, onDone);
  return (
    <Paper withBorder p="md" component="section" aria-label="Edit key">
      <form onSubmit={submit}>
        <Stack gap="lg">
          <Title order={2} size="h3">
            Edit key
          </Title>
          <KeyFields form={form} />
          {conflict !== null && <EditConflict {...conflict} mine={form.values} settle={settle} />}
          {error !== null && <ErrorNotice error={error} />}
          <Group>
            <Button type="submit" loading={busy} disabled={conflict !== null}>
              {changed === 0 ? 'Save' : `Save ${changed} ${changed === 1 ? 'change' : 'changes'}`}
            </Button>
            <Button variant="default" onClick={onDone}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
      <LeaveGuard when={changed > 0} title="Leave without saving?">
        Your changes will be lost.
      </LeaveGuard>
    </Paper>
  );
}
