import { Group, TextInput, type TextInputProps } from '@mantine/core';
import { CopyButton } from './copy-button';

interface Props extends TextInputProps {
  readonly value: string;
  readonly copy: string;
  readonly onCopied?: () => void;
}

/** Shows a secret to copy. Autocomplete is off, so that the browser does not store it. */
export function CopyField({ value, copy, onCopied, ...input }: Props) {
  return (
    <Group align="end" gap="sm">
      <TextInput
        {...input}
        value={value}
        readOnly
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        style={{ flex: '1 1 280px' }}
        maw={620}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={value} label={copy} wide onCopied={onCopied} />
    </Group>
  );
}
