import { Textarea } from '@mantine/core';

const NOTE_MAX = 1000;

interface Props {
  readonly note: string;
  readonly onChange: (note: string) => void;
}

export function NoteField({ note, onChange }: Props) {
  return (
    <Textarea
      label="Note"
      description="Optional. Explain the reason to other operators."
      maxLength={NOTE_MAX}
      autosize
      minRows={2}
      maxRows={6}
      value={note}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
