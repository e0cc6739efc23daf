import { Group, Select, Text, TextInput } from '@mantine/core';
import { KeySelect } from '../../parts/key-select';
import { TeamSelect } from '../../parts/team-select';
import { Section } from './limit-fields';
import { appliesTo } from './limit-form.rules';
import { MEASURES, PERIODS, SCOPES } from './limit-words.data';
import type { LimitForm } from './use-limit-form';

const choice = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));
const SCOPE_CHOICE = choice(SCOPES);
const MEASURE_CHOICE = choice(MEASURES);
const PERIOD_CHOICE = choice(PERIODS);
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
const ZONES_SHOWN_MAX = 100;
const NAME_MAX = 255;
const TAG_MAX = 64;

/** These fields can be set only at creation. */
export function LimitTargetFields({ form }: { readonly form: LimitForm }) {
  const applies = appliesTo(form.values);
  return (
    <Section title="Target and measure">
      <Text size="sm">These fields cannot be changed later.</Text>
      <Group align="flex-start">
        <Select label="Scope" w={240} allowDeselect={false} data={SCOPE_CHOICE} {...form.getInputProps('scope')} />
        <Target form={form} />
      </Group>
      <Group align="flex-start">
        <Select
          label="Measure"
          w={240}
          allowDeselect={false}
          data={MEASURE_CHOICE}
          {...form.getInputProps('measure')}
        />
        {applies.period && (
          <Select label="Period" w={240} allowDeselect={false} data={PERIOD_CHOICE} {...form.getInputProps('period')} />
        )}
        {applies.zone && (
          <Select
            label="Time zone"
            w={240}
            searchable
            allowDeselect={false}
            data={ZONES}
            limit={ZONES_SHOWN_MAX}
            nothingFoundMessage="No matching time zone."
            {...form.getInputProps('time_zone')}
          />
        )}
      </Group>
    </Section>
  );
}

function Target({ form }: { readonly form: LimitForm }) {
  const look = { size: 'sm', w: 280, withAsterisk: true } as const;
  const { scope } = form.values;
  switch (scope) {
    case 'account':
      return null;
    case 'team':
      return <TeamSelect placeholder="Choose a team" {...look} {...form.getInputProps('team_id')} />;
    case 'key':
      return <KeySelect placeholder="Choose a key" {...look} {...form.getInputProps('key_id')} />;
    case 'tag':
      return (
        <TextInput
          label="Tag"
          placeholder="Tag of a key or of its team"
          maxLength={TAG_MAX}
          autoComplete="off"
          {...look}
          {...form.getInputProps('tag')}
        />
      );
    default:
      return scope satisfies never;
  }
}

export function LimitNameField({ form }: { readonly form: LimitForm }) {
  return (
    <TextInput
      label="Name"
      description="Shown in errors and alerts. Leave empty to use the measure and the period."
      maxLength={NAME_MAX}
      autoComplete="off"
      maw={480}
      {...form.getInputProps('name')}
    />
  );
}
