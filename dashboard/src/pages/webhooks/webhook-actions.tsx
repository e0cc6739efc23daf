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

/** Test, switch on or off, delete: for whoever may. */
export function WebhookActions({ webhook, sending, onDeleted }: Props) {
  const [asked, setAsked] = useState<'off' | 'delete' | null>(null);
  const calls = useWebhookCalls();
  const name = <b style={{ overflowWrap: 'anywhere' }}>{shortUrlOf(webhook.url)}</b>;
  return (
    <>
      <SendTest id={webhook.id} sending={sending} />
      {webhook.enabled ? (
        <Button variant="default" px="sm" onClick={() => setAsked('off')}>
          Switch off
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
        title="Switch the webhook off?"
        action="Switch off"
        run={async () => {
          await calls.update(webhook.id, { enabled: false });
          showDone('The webhook is off.');
        }}
      >
        <Text size="sm">
          Nothing more is sent to {name} but tests and what is sent again by hand. What waits to be sent becomes failed,
          and events that come meanwhile are not made up for.
        </Text>
      </Confirm>
      <Confirm
        opened={asked === 'delete'}
        onClose={() => setAsked(null)}
        title="Delete the webhook?"
        action="Delete for good"
        danger
        typed={hostOf(webhook.url)}
        run={async () => {
          await calls.delete(webhook.id);
          showDone('The webhook is deleted.');
          onDeleted();
        }}
      >
        <Text size="sm">{name}, its secret and its list of deliveries go for good.</Text>
      </Confirm>
    </>
  );
}

/** Shows all deliveries, where the test's is the first. */
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
      Send a test event
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
      showDone('The webhook is on.');
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button variant="default" px="sm" loading={busy} onClick={() => void switchOn()}>
      Switch on
    </Button>
  );
}
