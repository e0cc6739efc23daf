import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { Link, Navigate } from 'react-router';
import { EmptyState } from '../../parts/empty-state';
import { ErrorNotice } from '../../parts/error-notice';
import { LeaveGuard } from '../../parts/leave-guard';
import { Page } from '../../parts/page';
import { showDone } from '../../parts/toasts';
import { useSearchState } from '../../parts/use-search-state';
import { useHasRole } from '../../session/use-session';
import { useLimitCalls } from './limit-calls';
import { LimitFields } from './limit-fields';
import { draftOf, newLimitFor } from './limit-form.rules';
import { LimitNameField, LimitTargetFields } from './limit-target-fields';
import { titleOf } from './limit-words.rules';
import { Simulation } from './simulation';
import { useLimitForm } from './use-limit-form';

const ABOVE = { label: 'Budgets', to: '/budgets' } as const;

export function NewLimitPage() {
  const mayCreate = useHasRole('admin');
  return (
    <Page title="Create limit" above={ABOVE}>
      {mayCreate ? <CreateForm /> : <EmptyState title="Only admins and owners can create limits" />}
    </Page>
  );
}

function CreateForm() {
  const { params } = useSearchState();
  const calls = useLimitCalls();
  const [initial] = useState(() => newLimitFor(params));
  const [created, setCreated] = useState<number | null>(null);
  const { form, busy, error, submit } = useLimitForm(initial, async (values) => {
    const limit = await calls.create(draftOf(values));
    showDone(`Limit “${titleOf(limit)}” created.`);
    setCreated(limit.id);
  });
  if (created !== null) return <Navigate to={`/budgets/${created}`} replace />;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <LimitNameField form={form} />
        <LimitTargetFields form={form} />
        <LimitFields form={form} />
        <Simulation form={form} isNew />
        {error !== null && <ErrorNotice error={error} />}
        <Group>
          <Button type="submit" loading={busy}>
            Create limit
          </Button>
          <Button component={Link} to="/budgets" variant="default">
            Cancel
          </Button>
        </Group>
      </Stack>
      <LeaveGuard when={form.isDirty()} title="Leave without creating the limit?">
        Your input will be lost.
      </LeaveGuard>
    </form>
  );
}
