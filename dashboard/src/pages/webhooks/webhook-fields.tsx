import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { EventsField } from './events-field';
import type { WebhookSettings } from './webhook-types';

/** What an operator sets of a webhook, to make one and to change it. */
export function WebhookFields({ form }: { readonly form: UseFormReturnType<WebhookSettings> }) {
  const events = form.getInputProps('events');
  return (
    <>
      <TextInput
        label="URL"
        description="Where events are sent by POST: a public address. Redirects are not followed."
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://example.com/hooks/gateway"
        required
        {...form.getInputProps('url')}
      />
      <EventsField
        value={form.values.events}
        onChange={(value) => form.setFieldValue('events', value)}
        error={events.error as string | undefined}
      />
    </>
  );
}
