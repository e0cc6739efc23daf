import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { CopyButton } from '../keys/copy-button';

interface Props {
  readonly email: string;
  readonly password: string;
  readonly onDone: () => void;
}

/** The password that was just set, in the one moment in which it can be copied. */
export function HandOver({ email, password, onDone }: Props) {
  return (
    <Stack>
      <Alert color="orange" title="Hand the password over now">
        <Text size="sm">
          It is not shown again: the gateway keeps only a hash of it. <b>{email}</b> can change it after signing in.
        </Text>
      </Alert>
      <Group align="end" gap="xs">
        <TextInput
          label="Password"
          value={password}
          readOnly
          autoComplete="off"
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          style={{ flex: '1 1 220px' }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={password} label="Copy the password" wide />
      </Group>
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
