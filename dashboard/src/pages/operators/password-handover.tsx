import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { CopyField } from '../../parts/copy-field';

interface Props {
  readonly email: string;
  readonly password: string;
  readonly onDone: () => void;
}

export function PasswordHandover({ email, password, onDone }: Props) {
  return (
    <Stack>
      <Alert color="orange" title="Copy the password now">
        <Text size="sm">
          It is not shown again, because the gateway stores only a hash. <b>{email}</b> can change it after sign-in.
        </Text>
      </Alert>
      <CopyField label="Password" value={password} copy="Copy password" />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
