import { NumberInput, SimpleGrid, Stack, TextInput, Title } from '@mantine/core';
import { ExpiryField } from './expiry-field';
import type { KeyField } from './key-values.rules';
import { ModelsField } from './models-field';
import type { KeyForm } from './use-key-form';

/** The fields of a key, the same on creation and later. */
export function KeyFields({ form }: { readonly form: KeyForm }) {
  return (
    <Stack gap="lg">
      <TextInput
        label="Name"
        description="What it is for, or who calls with it."
        withAsterisk
        maxLength={255}
        autoComplete="off"
        maw={480}
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <Stack gap="sm">
        <Title order={2} size="h4">
          Limits
        </Title>
        <SimpleGrid cols={{ base: 1, sm: 2 }} maw={720}>
          <Limit form={form} field="rpm_limit" label="Requests a minute" needed />
          <Limit form={form} field="rpd_limit" label="Requests a day (UTC)" needed />
          <Limit form={form} field="monthly_limit" label="Requests a month (UTC)" />
          <Limit form={form} field="monthly_token_limit" label="Tokens a month (UTC)" />
        </SimpleGrid>
      </Stack>
      <ModelsField form={form} />
      <ExpiryField form={form} />
    </Stack>
  );
}

interface LimitProps {
  readonly form: KeyForm;
  readonly field: KeyField;
  readonly label: string;
  readonly needed?: boolean;
}

/** What it may be is the gateway's to judge: it is sent as it was entered. */
function Limit({ form, field, label, needed = false }: LimitProps) {
  return (
    <NumberInput
      label={label}
      withAsterisk={needed}
      placeholder={needed ? undefined : 'unlimited'}
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator=","
      hideControls
      inputMode="numeric"
      key={form.key(field)}
      {...form.getInputProps(field)}
    />
  );
}
