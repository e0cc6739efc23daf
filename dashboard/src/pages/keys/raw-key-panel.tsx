import { Alert, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { CopyButton } from './copy-button';
import { Snippets } from './snippets';

interface Props {
  readonly secret: string;
  readonly allowedModels: readonly string[] | null;
  /** Copied, or said to be. */
  readonly stored: boolean;
  readonly onStored: (stored: boolean) => void;
}

/** The raw key, which is shown this once, and how to call with it. */
export function RawKeyPanel({ secret, allowedModels, stored, onStored }: Props) {
  return (
    <Stack>
      <Alert color="orange" title="Copy the key now">
        <Text size="sm">
          It is not shown again: the gateway keeps only a hash of it. A lost key can be rotated, which gives it a new
          secret.
        </Text>
      </Alert>
      <Group align="end" gap="sm">
        <TextInput
          label="API key"
          value={secret}
          readOnly
          autoComplete="off"
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          style={{ flex: '1 1 280px' }}
          maw={620}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={secret} label="Copy the key" wide onCopied={() => onStored(true)} />
      </Group>
      <Checkbox
        label="I have stored the key"
        checked={stored}
        onChange={(event) => onStored(event.currentTarget.checked)}
      />
      <Snippets secret={secret} allowedModels={allowedModels} />
    </Stack>
  );
}
