import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { ErrorNotice } from '../../parts/error-notice';
import { LeaveGuard } from '../../parts/leave-guard';
import { showDone } from '../../parts/toasts';
import { useLimitCalls } from './limit-calls';
import { LimitFields } from './limit-fields';
import { changesOf, valuesOf } from './limit-form.rules';
import { LimitNameField } from './limit-target-fields';
import type { Limit } from './limit-types';
import { titleOf } from './limit-words.rules';
import { Simulation } from './simulation';
import { useLimitForm } from './use-limit-form';

interface Props {
  readonly of: Limit;
  readonly onDone: () => void;
}

/** Sends only the changed fields. The form keeps its initial values, because the limit is refetched in the meantime. */
export function LimitEdit({ of: limit, onDone }: Props) {
  const calls = useLimitCalls();
  const [before] = useState(() => valuesOf(limit));
  const { form, busy, error, submit } = useLimitForm(before, async (values) => {
    const changes = changesOf(values, before);
    if (Object.keys(changes).length > 0) showDone(`Limit “${titleOf(await calls.update(limit.id, changes))}” saved.`);
    onDone();
  });
  return (
    <Paper withBorder p="md" component="section" aria-label="Edit limit">
      <form onSubmit={submit} noValidate>
        <Stack gap="lg">
          <Title order={2} size="h3">
            Edit limit
          </Title>
          <Text size="sm">
            Target, measure, period and time zone cannot change. Create another limit instead, then delete this one.
          </Text>
          <LimitNameField form={form} />
          <LimitFields form={form} />
          <Simulation form={form} isNew={false} />
          {error !== null && <ErrorNotice error={error} />}
          <Group>
            <Button type="submit" loading={busy}>
              Save
            </Button>
            <Button variant="default" onClick={onDone}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
      <LeaveGuard when={form.isDirty()} title="Leave without saving?">
        Your changes will be lost.
      </LeaveGuard>
    </Paper>
  );
}
