import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from '../../parts/confirm';
import { showDone, showFailure } from '../../parts/toasts';
import { useSearchState } from '../../parts/use-search-state';
import { hostOf, shortUrlOf } from './target-url';
import type { Sending } from './use-sending';
import { useWebhookCalls } from './webhook-calls';
import type { Webhook } from './webhook-types';

interface Props {
  readonly webhook: Webhook;
  readonly sending: Sending;
  readonly onDeleted: () => void;
}

export function WebhookActions({ webhook, sending, onDeleted }: Props) {
  const [asked, setAsked] = useState<'off' | 'delete' | null>(null);
  const calls = useWebhookCalls();
  const name = <b style={{ overflowWrap: 'anywhere' }}>{shortUrlOf(webhook.url)}</b>;
  return (
    <>
      <SendTest id={webhook.id} sending={sending} />
      {webhook.enabled ? (
        <Button variant="default" px="sm" onClick={() => setAsked('off')}>
          Disable
        </Button>
      ) : (
        <SwitchOn id={webhook.id} />
      )}
      <Button variant="outline" color="red" px="sm" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      <Confirm
        opened={asked === 'off'}
        onClose={() => setAsked(null)}
        title="Disable this webhook?"
        action="Disable"
        run={async () => {
          await calls.update(webhook.id, { enabled: false });
          showDone('Webhook disabled.');
        }}
      >
        <Text size="sm">
          Afterward, {name} receives only test events and manual retries. Pending deliveries become failed, and later
          events are not sent. You can enable the webhook again, but it does not receive the events it missed.
        </Text>
      </Confirm>
      <Confirm
        opened={asked === 'delete'}
        onClose={() => setAsked(null)}
        title="Delete this webhook?"
        action="Delete permanently"
        danger
        typed={hostOf(webhook.url)}
        run={async () => {
          await calls.delete(webhook.id);
          showDone('Webhook deleted.');
          onDeleted();
        }}
      >
        <Text size="sm">This deletes {name}, its secret and its delivery history. You cannot undo this.</Text>
      </Confirm>
    </>
  );
}

/** Also clears the filters, so that the new delivery is visible. */
function SendTest({ id, sending }: { readonly id: string; readonly sending: Sending }) {
  const [busy, setBusy] = useState(false);
  const calls = useWebhookCalls();
  const { params, set } = useSearchState();
  async function test(): Promise<void> {
    setBusy(true);
    try {
      const { delivery_id } = await calls.test(id);
      if (['tab', 'status', 'page'].some((name) => params.has(name))) set({ tab: null, status: null });
      sending.wait({ deliveryId: delivery_id, attempts: 0 });
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button px="sm" loading={busy || sending.sent !== null} onClick={() => void test()}>
      Send test event
    </Button>
  );
}

function SwitchOn({ id }: { readonly id: string }) {
  const [busy, setBusy] = useState(false);
  const calls = useWebhookCalls();
  async function switchOn(): Promise<void> {
    setBusy(true);
    try {
      await calls.update(id, { enabled: true });
      showDone('Webhook enabled.');
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button variant="default" px="sm" loading={busy} onClick={() => void switchOn()}>
      Enable
    </Button>
  );
}
