import { Button, Group } from '@mantine/core';
import { ErrorNotice } from './error-notice';

interface Props {
  readonly error: unknown;
  readonly onCancel: () => void;
  readonly submit: string;
  readonly busy: boolean;
  readonly disabled?: boolean;
  readonly color?: string;
}

/** The error and the buttons of a form in a dialog. */
export function DialogFormEnd({ error, onCancel, submit, busy, disabled, color }: Props) {
  return (
    <>
      {error !== null && <ErrorNotice error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" color={color} loading={busy} disabled={disabled}>
          {submit}
        </Button>
      </Group>
    </>
  );
}
