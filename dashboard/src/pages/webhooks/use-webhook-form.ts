import { useSendingForm } from '../../parts/use-sending-form';
import { urlProblem } from './target-url';
import type { WebhookSettings } from './webhook-types';

export const useWebhookForm = (initialValues: WebhookSettings, send: (values: WebhookSettings) => Promise<void>) =>
  useSendingForm({
    initialValues,
    validate: { url: urlProblem, events: (events) => (events.length === 0 ? 'Choose at least one event.' : null) },
    send: ({ url, events }) => send({ url: url.trim(), events }),
  });
