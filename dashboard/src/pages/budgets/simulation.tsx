import { Button, Group, List, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { ErrorNotice } from '../../parts/error-notice';
import { Moment } from '../../parts/moment';
import { count, plural } from '../../parts/numbers';
import { daysOf } from '../../parts/period';
import { simulate } from './limit-calls';
import { draftOf, type LimitValues } from './limit-form.rules';
import type { Simulated } from './limit-types';
import { amountWithUnit } from './limit-words.rules';
import type { LimitForm } from './use-limit-form';

const DAYS = [7, 30, 90, 365] as const;
const DAYS_DEFAULT = 30;
const REACHED_SHOWN_MAX = 5;

interface Props {
  readonly form: LimitForm;
  /** The limit does not exist yet, and would start from past usage. */
  readonly isNew: boolean;
}

interface Result {
  readonly values: LimitValues;
  readonly days: number;
  readonly simulated: Simulated;
}

/** Applies the form's limit to past usage, before it is saved. */
export function Simulation({ form, isNew }: Props) {
  const [days, setDays] = useState<number>(DAYS_DEFAULT);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [result, setResult] = useState<Result | null>(null);

  async function run(): Promise<void> {
    if (form.validate().hasErrors) return;
    setBusy(true);
    setError(null);
    const { values } = form;
    const { from, to } = daysOf({ kind: 'days', days });
    try {
      setResult({ values, days, simulated: await simulate({ ...draftOf(values), since: from, until: to }) });
    } catch (caught) {
      setResult(null);
      setError(caught);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Paper withBorder p="md" component="section" aria-labelledby="simulation" maw={720}>
      <Stack gap="sm">
        <Title order={2} size="h4" id="simulation">
          Simulation
        </Title>
        <Text size="sm">Applies this limit to past usage, without changing anything.</Text>
        <Group align="end" gap="sm">
          <Select
            label="Past usage"
            w={160}
            allowDeselect={false}
            data={DAYS.map((offered) => ({ value: String(offered), label: `Last ${offered} days` }))}
            value={String(days)}
            onChange={(value) => setDays(Number(value))}
          />
          <Button variant="default" loading={busy} onClick={() => void run()}>
            Simulate
          </Button>
        </Group>
        {error !== null && <ErrorNotice error={error} />}
        <div aria-live="polite">{result !== null && <Outcome {...result} form={form} isNew={isNew} />}</div>
      </Stack>
    </Paper>
  );
}

function Outcome({ values, days, simulated, form, isNew }: Result & Props) {
  const { measure } = values;
  const isOld = JSON.stringify(draftOf(form.values)) !== JSON.stringify(draftOf(values));
  return (
    <Stack gap={4}>
      {isOld && <Text size="sm">The form has changed since this simulation. Simulate again.</Text>}
      {isNew && (
        <Text size="sm" fw={600}>
          {measure === 'concurrent_requests'
            ? 'It would start with the requests that are running then.'
            : `It would start at ${amountWithUnit(measure, simulated.starts_with)} used.`}
        </Text>
      )}
      <Past values={values} days={days} of={simulated} />
    </Stack>
  );
}

interface PastProps {
  readonly values: LimitValues;
  readonly days: number;
  readonly of: Simulated;
}

function Past({ values: { measure, period }, days, of: simulated }: PastProps) {
  const { method, requests, periods, highest_used, refused_amount, refused_requests, reached } = simulated;
  if (method === null)
    return (
      <Text size="sm">
        Past usage is recorded by day. Therefore, only limits per day, week or month, in any 7 days or in total can be
        simulated.
      </Text>
    );
  const when = `in the last ${days} days`;
  if (reached.length === 0)
    return (
      <Text size="sm">
        It would not have been reached {when}. The highest usage in one period was{' '}
        {amountWithUnit(measure, highest_used)}.
      </Text>
    );
  return (
    <Stack gap={4}>
      <Text size="sm">
        It would have been reached in {count(reached.length)} of {count(periods)}{' '}
        {period === 'rolling_7d' ? plural(periods, 'day') + ' with usage' : plural(periods, 'period')} {when}. About{' '}
        {count(refused_requests)} of {count(requests)} {plural(requests, 'request')} would have been rejected
        {measure !== 'requests' && `, with ${amountWithUnit(measure, refused_amount)}`}. Usage is assumed to be evenly
        distributed within each day.
      </Text>
      <List size="sm">
        {reached.slice(0, REACHED_SHOWN_MAX).map((period) => (
          <List.Item key={period.started_at}>
            Reached <Moment at={period.reached_at} />, with {amountWithUnit(measure, period.used)} used in that period
          </List.Item>
        ))}
      </List>
      {reached.length > REACHED_SHOWN_MAX && (
        <Text size="sm">and {count(reached.length - REACHED_SHOWN_MAX)} more</Text>
      )}
    </Stack>
  );
}
