import { Button, Group, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { PasswordInput } from '../../parts/password-input';
import { CopyField } from '../../parts/copy-field';
import { PASSWORD_LENGTH } from '../../parts/password-problem';
import { generatedPassword } from './generated-password';

interface Props {
  readonly form: Pick<UseFormReturnType<{ password: string }>, 'getInputProps' | 'setFieldValue'>;
  readonly label: string;
}

export function PasswordField({ form, label }: Props) {
  const [generated, setGenerated] = useState(false);
  const input = form.getInputProps('password');
  const generate = () => {
    form.setFieldValue('password', generatedPassword());
    setGenerated(true);
  };
  return (
    <Stack gap="xs">
      {generated ? (
        <CopyField
          label={label}
          description="Send it over a secure channel. It is not shown again."
          required
          copy="Copy"
          {...input}
          value={String(input.value)}
        />
      ) : (
        <PasswordInput
          label={label}
          description={`${PASSWORD_LENGTH}.`}
          required
          autoComplete="new-password"
          {...input}
        />
      )}
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={generate}>
          {generated ? 'Generate another' : 'Generate password'}
        </Button>
        {generated && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              form.setFieldValue('password', '');
              setGenerated(false);
            }}
          >
            Enter manually
          </Button>
        )}
      </Group>
    </Stack>
  );
}
