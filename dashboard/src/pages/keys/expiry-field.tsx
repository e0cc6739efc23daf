import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { isoOf, localMinuteOf } from '../../parts/local-time';
import type { KeyForm } from './use-key-form';

const PRESETS = [
  { label: '30 days', days: 30 },
  { label: '90 days', days: 90 },
  { label: '1 year', days: 365 },
] as const;

export function ExpiryField({ form }: { readonly form: KeyForm }) {
  const value = form.values.expires_at;
  const set = (local: string) => form.setFieldValue('expires_at', local);
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Expiry
      </Title>
      <Group align="end" gap="xs">
        <TextInput
          label="Expires at (local time)"
          type="datetime-local"
          max="9999-12-31T23:59"
          w={240}
          {...form.getInputProps('expires_at')}
        />
        {PRESETS.map(({ label, days }) => (
          <Button key={label} variant="default" onClick={() => set(inDays(days))}>
            {label}
          </Button>
        ))}
        <Button variant="default" onClick={() => set('')}>
          Never
        </Button>
      </Group>
      <Text size="sm">
        {value === '' ? 'The key never expires.' : `That is ${isoOf(value).slice(0, 16).replace('T', ' ')} UTC.`}
      </Text>
    </Stack>
  );
}

function inDays(days: number): string {
  const date = new Date();
  date.setDate(date.getDate() + days);
  return localMinuteOf(date);
}
