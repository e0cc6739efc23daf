import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { CopyField } from '../../parts/copy-field';

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
      <CopyField label="Password" value={password} copy="Copy the password" />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
