import { Alert, Checkbox, Stack, Text } from '@mantine/core';
import { CopyField } from '../../parts/copy-field';
import { Snippets } from './snippets';

interface Props {
  readonly secret: string;
  readonly allowedModels: readonly string[] | null;
  readonly stored: boolean;
  readonly onStored: (stored: boolean) => void;
}

export function RawKeyPanel({ secret, allowedModels, stored, onStored }: Props) {
  return (
    <Stack>
      <Alert color="orange" title="Copy the key now">
        <Text size="sm">
          It is not shown again, because the gateway stores only a hash. If the key is lost, rotate it to get a new one.
        </Text>
      </Alert>
      <CopyField label="API key" value={secret} copy="Copy key" onCopied={() => onStored(true)} />
      <Checkbox
        label="I have stored the key"
        checked={stored}
        onChange={(event) => onStored(event.currentTarget.checked)}
      />
      <Snippets secret={secret} allowedModels={allowedModels} />
    </Stack>
  );
}
