import { Group, Radio, SimpleGrid, Stack, TagsInput, TextInput, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { NumberField } from '../../parts/number-field';
import { AmountInput } from './amount-input';
import { appliesTo } from './limit-form.rules';
import { MODEL_CHOICES, MODES, RESERVES } from './limit-words.data';
import type { LimitForm } from './use-limit-form';

const THRESHOLDS_OFFERED = ['50', '80', '90', '95', '100'];

export function LimitFields({ form }: { readonly form: LimitForm }) {
  const applies = appliesTo(form.values);
  const { measure, model_choice } = form.values;
  return (
    <>
      <Section title="Amount">
        <Group align="flex-start">
          <AmountInput
            measure={measure}
            label="Amount"
            description="0 rejects all requests."
            required
            {...form.getInputProps('amount')}
          />
          {applies.carryOver && (
            <AmountInput
              measure={measure}
              label="Carry over at most"
              description="Unused amount of the previous period"
              placeholder="nothing"
              {...form.getInputProps('carry_over')}
            />
          )}
        </Group>
        <Choice label="Models" choices={MODEL_CHOICES} {...form.getInputProps('model_choice')} />
        {model_choice === 'some' && (
          <TagsInput
            label="Models that count"
            description="Model IDs or patterns such as claude-*."
            splitChars={[',', ' ']}
            required
            maw={720}
            {...form.getInputProps('models')}
          />
        )}
        {applies.weights && <Weights form={form} />}
      </Section>
      <Section title="Enforcement">
        <Choice label="Mode" choices={MODES} {...form.getInputProps('mode')} />
        {applies.reserve && (
          <Choice
            label="Reserve for running requests"
            description="The usage of a request is known only after the response. Until then, the gateway reserves an estimated amount."
            choices={RESERVES}
            {...form.getInputProps('reserve')}
          />
        )}
      </Section>
      <Section title={applies.alerts ? 'Alerts and duration' : 'Duration'}>
        {applies.alerts && (
          <TagsInput
            label="Alert thresholds (percent of the amount)"
            description="Each alert is sent once per period, as a notification and to webhooks. Leave empty for none."
            data={THRESHOLDS_OFFERED}
            splitChars={[',', ' ', '%']}
            clearable
            clearButtonProps={{ 'aria-label': 'No alerts' }}
            maw={720}
            {...form.getInputProps('alert_thresholds')}
          />
        )}
        <Group align="flex-start">
          <Moment label="Starts at (local time)" {...form.getInputProps('starts_at')} />
          <Moment label="Ends at (local time)" {...form.getInputProps('ends_at')} />
        </Group>
      </Section>
    </>
  );
}

export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly description?: string;
  readonly choices: readonly { readonly value: string; readonly label: string; readonly explanation: string }[];
}

function Choice({ label, description, choices, ...input }: ChoiceProps) {
  return (
    <Radio.Group label={label} description={description} maw={720} {...input}>
      <Stack gap="xs" mt="xs">
        {choices.map(({ value, label: name, explanation }) => (
          <Radio key={value} value={value} label={name} description={explanation} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** A weight of 0.1 counts ten cached tokens as one. */
function Weights({ form }: { readonly form: LimitForm }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} maw={720}>
      <NumberField
        label="Weight of cached input"
        description="0.1 counts ten cached tokens as one."
        {...form.getInputProps('cached_input')}
      />
      <NumberField
        label="Weight of cache writes"
        description="1 counts them like other input."
        {...form.getInputProps('cache_write')}
      />
    </SimpleGrid>
  );
}

const Moment = (input: { readonly label: string }) => (
  <TextInput type="datetime-local" max="9999-12-31T23:59" w={240} {...input} />
);
