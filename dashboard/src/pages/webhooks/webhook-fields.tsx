import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { EventsField } from './events-field';
import type { WebhookSettings } from './webhook-types';

export function WebhookFields({ form }: { readonly form: UseFormReturnType<WebhookSettings> }) {
  const events = form.getInputProps('events');
  return (
    <>
      <TextInput
        label="URL"
        description="A public address that accepts events as POST requests. The gateway does not follow redirects."
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
