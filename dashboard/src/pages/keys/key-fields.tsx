import { Select, SimpleGrid, Stack, TextInput, Title } from '@mantine/core';
import { NumberField } from '../../parts/number-field';
import { TagsField } from '../../parts/tags-field';
import { TeamSelect } from '../../parts/team-select';
import { ExpiryField } from './expiry-field';
import { COUNTED_TOKENS } from './field-text';
import type { KeyField } from './key-values.rules';
import { ModelsField } from './models-field';
import type { KeyForm } from './use-key-form';

export function KeyFields({ form }: { readonly form: KeyForm }) {
  return (
    <Stack gap="lg">
      <TextInput
        label="Name"
        description="The purpose of the key, or the client that uses it."
        withAsterisk
        maxLength={255}
        autoComplete="off"
        maw={480}
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <Stack gap="sm">
        <Title order={2} size="h4">
          Team and tags
        </Title>
        <TeamSelect
          description="The key counts towards the limits of its team."
          placeholder="No team"
          w={480}
          {...form.getInputProps('team_id')}
        />
        <TagsField {...form.getInputProps('tags')} />
      </Stack>
      <Stack gap="sm">
        <Title order={2} size="h4">
          Limits
        </Title>
        <SimpleGrid cols={{ base: 1, sm: 2 }} maw={720}>
          <Limit form={form} field="rpm_limit" label="Requests per minute" needed />
          <Limit form={form} field="rpd_limit" label="Requests per day (UTC)" needed />
          <Limit form={form} field="monthly_limit" label="Requests per month (UTC)" />
          <Limit form={form} field="monthly_token_limit" label="Tokens per month (UTC)" />
        </SimpleGrid>
        <Select
          label="Counted tokens"
          description="Tokens that count towards the monthly limit. Some providers report cache reads and writes in addition to the input."
          maw={720}
          allowDeselect={false}
          data={COUNTING_CHOICE}
          key={form.key('token_counting')}
          {...form.getInputProps('token_counting')}
        />
      </Stack>
      <ModelsField form={form} />
      <ExpiryField form={form} />
    </Stack>
  );
}

const COUNTING_CHOICE = Object.entries(COUNTED_TOKENS).map(([value, label]) => ({ value, label }));

interface LimitProps {
  readonly form: KeyForm;
  readonly field: KeyField;
  readonly label: string;
  readonly needed?: boolean;
}

/** Sends the value as entered, because only the gateway validates the bounds. */
function Limit({ form, field, label, needed = false }: LimitProps) {
  return (
    <NumberField
      label={label}
      withAsterisk={needed}
      placeholder={needed ? undefined : 'unlimited'}
      key={form.key(field)}
      {...form.getInputProps(field)}
    />
  );
}
