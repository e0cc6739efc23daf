import { Button, Group, List, Paper, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { ErrorNotice } from '../../parts/error-notice';
import { Moment } from '../../parts/moment';
import { showDone } from '../../parts/toasts';
import { useHasRole } from '../../session/use-session';
import { LeaveGuard } from '../../parts/leave-guard';
import { eventLabel } from './event-types.data';
import { useWebhookCalls } from './webhook-calls';
import { WebhookFields } from './webhook-fields';
import type { Webhook, WebhookSettings as Settings } from './webhook-types';
import { useWebhookForm } from './use-webhook-form';

export function WebhookSettings({ webhook }: { readonly webhook: Webhook }) {
  const mayChange = useHasRole('admin');
  return (
    <Paper withBorder p="md">
      <Stack>
        {mayChange ? <EditForm webhook={webhook} /> : <AsText {...webhook} />}
        <Text size="xs">
          Created <Moment at={webhook.created_at} />, updated <Moment at={webhook.updated_at} />
        </Text>
      </Stack>
    </Paper>
  );
}

/** Sends only the changed fields, so that the update does not overwrite other operators' changes. */
function EditForm({ webhook: { id, url, events, updated_at } }: { readonly webhook: Webhook }) {
  const { update } = useWebhookCalls();
  const { form, busy, error, submit } = useWebhookForm({ url, events }, async (settings) => {
    const saved = await update(id, changesOf(form.getInitialValues(), settings));
    take(saved);
    showDone('Webhook saved.');
  });
  const dirty = form.isDirty();
  function take(saved: Settings): void {
    const values = { url: saved.url, events: saved.events };
    form.setInitialValues(values);
    form.setValues(values);
  }
  // Shows changes by other operators, unless the form has unsaved input.
  useEffect(() => {
    if (!dirty) take({ url, events });
  }, [updated_at]);
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <WebhookFields form={form} />
        {error !== null && <ErrorNotice error={error} />}
        <Group justify="flex-end">
          <Button variant="default" disabled={!dirty || busy} onClick={form.reset}>
            Undo changes
          </Button>
          <Button type="submit" loading={busy} disabled={!dirty}>
            Save
          </Button>
        </Group>
      </Stack>
      <LeaveGuard when={dirty} title="Leave without saving?">
        Your changes to this webhook will be lost.
      </LeaveGuard>
    </form>
  );
}

function changesOf(before: Settings, { url, events }: Settings): Partial<Settings> {
  const sameEvents = [...before.events].sort().join() === [...events].sort().join();
  return { ...(url === before.url ? {} : { url }), ...(sameEvents ? {} : { events }) };
}

function AsText({ url, events }: Settings) {
  return (
    <Stack gap="xs">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <b>URL</b> {url}
      </Text>
      {events.includes('*') ? (
        <Text size="sm">
          <b>Events</b> all
        </Text>
      ) : (
        <>
          <Text size="sm" fw={700}>
            Events
          </Text>
          <List size="sm">
            {events.map((type) => (
              <List.Item key={type}>{eventLabel(type)}</List.Item>
            ))}
          </List>
        </>
      )}
    </Stack>
  );
}
