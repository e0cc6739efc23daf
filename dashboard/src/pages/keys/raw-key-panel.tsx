import { Alert, Checkbox, Stack, Text } from '@mantine/core';
import { CopyField } from '../../parts/copy-field';
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
      <CopyField label="API key" value={secret} copy="Copy the key" onCopied={() => onStored(true)} />
      <Checkbox
        label="I have stored the key"
        checked={stored}
        onChange={(event) => onStored(event.currentTarget.checked)}
      />
      <Snippets secret={secret} allowedModels={allowedModels} />
    </Stack>
  );
}
