import { Button, Group, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { PasswordInput } from '../../parts/password-input';
import { CopyButton } from '../keys/copy-button';
import { generatedPassword } from './generated-password';

interface Props {
  readonly form: Pick<UseFormReturnType<{ password: string }>, 'getInputProps' | 'setFieldValue'>;
  readonly label: string;
}

/** A password for somebody else: typed, or generated and then shown to be copied. */
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
        <Group align="end" gap="xs" wrap="nowrap">
          <TextInput
            label={label}
            description="Hand it over by a safe way. It is not shown again."
            required
            readOnly
            autoComplete="off"
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            style={{ flex: 1 }}
            onFocus={(event) => event.currentTarget.select()}
            {...input}
          />
          <CopyButton text={String(input.value)} label="Copy" wide />
        </Group>
      ) : (
        <PasswordInput
          label={label}
          description="12 to 200 characters."
          required
          autoComplete="new-password"
          {...input}
        />
      )}
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={generate}>
          {generated ? 'Generate another' : 'Generate one'}
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
            Type one instead
          </Button>
        )}
      </Group>
    </Stack>
  );
}
