import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { components } from '../../api/schema';
import { EmptyState } from '../../parts/empty-state';
import { ErrorNotice } from '../../parts/error-notice';
import { Page } from '../../parts/page';
import { useHasRole } from '../../session/use-session';
import { createKey } from './key-calls';
import { KeyFields } from './key-fields';
import { useRefresh } from './key-queries';
import { changedFields, NEW_KEY, newKeyOf } from './key-values.rules';
import { LeaveGuard } from '../../parts/leave-guard';
import { RawKeyPanel } from './raw-key-panel';
import { SharedObjectsNotice } from './shared-objects-notice';
import { useKeyForm } from './use-key-form';

type CreatedKey = components['schemas']['CreatedApiKeyResponse'];
const ABOVE = { label: 'Keys', to: '/keys' } as const;

/** Shows the form, then the raw key. Only this component's state holds the raw key. */
export function NewKeyPage() {
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const mayCreate = useHasRole('admin');
  if (created !== null) return <Created of={created} another={() => setCreated(null)} />;
  return (
    <Page title="Create key" above={ABOVE}>
      {mayCreate ? (
        <CreateForm onCreated={setCreated} />
      ) : (
        <EmptyState title="Only admins and owners can create keys" />
      )}
    </Page>
  );
}

function CreateForm({ onCreated }: { readonly onCreated: (key: CreatedKey) => void }) {
  const refresh = useRefresh();
  const { form, busy, error, submit } = useKeyForm(NEW_KEY, async (values) => {
    onCreated(await createKey(newKeyOf(values)));
    refresh();
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <KeyFields form={form} />
        <SharedObjectsNotice />
        {error !== null && <ErrorNotice error={error} />}
        <Group>
          <Button type="submit" loading={busy}>
            Create key
          </Button>
          <Button component={Link} to="/keys" variant="default">
            Cancel
          </Button>
        </Group>
      </Stack>
      <LeaveGuard when={changedFields(form.values, NEW_KEY).length > 0} title="Leave without creating the key?">
        Your input will be lost.
      </LeaveGuard>
    </form>
  );
}

function Created({ of, another }: { readonly of: CreatedKey; readonly another: () => void }) {
  const { id, name, key: secret, allowed_models: allowedModels } = of;
  const [stored, setStored] = useState(false);
  return (
    <Page title={`Key “${name}” created`} above={ABOVE}>
      <RawKeyPanel secret={secret} allowedModels={allowedModels} stored={stored} onStored={setStored} />
      <Group>
        <Button component={Link} to={`/keys/${id}`}>
          View key
        </Button>
        <Button variant="default" onClick={another} disabled={!stored}>
          Create another
        </Button>
      </Group>
      <LeaveGuard when={!stored} title="The key is not stored yet">
        The raw key is not shown again. If you leave now, you must rotate the key before anyone can use it.
      </LeaveGuard>
    </Page>
  );
}
