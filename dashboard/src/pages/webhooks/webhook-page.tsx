import { Alert, Group, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { Navigate, useParams } from 'react-router';
import { ErrorNotice } from '../../parts/error-notice';
import { Page } from '../../parts/page';
import { PageSkeleton } from '../../parts/page-skeleton';
import { useSearchState } from '../../parts/use-search-state';
import { useMay } from '../../session/use-session';
import { Deliveries } from './deliveries';
import { HowToVerify } from './how-to-verify';
import { shortUrlOf } from './target-url';
import { useSending, type Sending } from './use-sending';
import { WebhookActions } from './webhook-actions';
import { useWebhook } from './webhook-calls';
import { WebhookSettings } from './webhook-settings';
import { WebhookState } from './webhook-state';
import type { Webhook } from './webhook-types';

const ABOVE = { label: 'Webhooks', to: '/webhooks' };

/** One webhook: what was sent to it, its settings, how its receiver checks it. */
export function WebhookPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useWebhook(id);
  const [deleted, setDeleted] = useState(false);
  if (deleted) return <Navigate to="/webhooks" replace />;
  if (data !== undefined) return <Content key={id} webhook={data} onDeleted={() => setDeleted(true)} />;
  return (
    <Page title="Webhook" above={ABOVE}>
      {error === null ? <PageSkeleton /> : <ErrorNotice error={error} retry={() => void refetch()} />}
    </Page>
  );
}

interface Props {
  readonly webhook: Webhook;
  readonly onDeleted: () => void;
}

function Content({ webhook, onDeleted }: Props) {
  const mayChange = useMay('admin');
  const sending = useSending();
  return (
    <Page
      title={shortUrlOf(webhook.url)}
      above={ABOVE}
      actions={mayChange && <WebhookActions webhook={webhook} sending={sending} onDeleted={onDeleted} />}
    >
      <Group>
        <WebhookState {...webhook} />
      </Group>
      {webhook.disabled_reason === 'failing' && (
        <Alert color="red" title="The gateway has switched this webhook off">
          <Text size="sm">
            Everything sent to it had failed for three days. Mend the receiver, send a test event to see that it works,
            then switch the webhook on again. What has failed meanwhile can be sent again from the list below.
          </Text>
        </Alert>
      )}
      <Sections webhook={webhook} sending={sending} />
    </Page>
  );
}

const SECTIONS = ['deliveries', 'settings', 'verify'] as const;

/** All of them stay mounted, with their effects: what is being typed in one is kept and guarded during a look at another. */
function Sections({ webhook, sending }: { readonly webhook: Webhook; readonly sending: Sending }) {
  const { get, set } = useSearchState();
  const tab = SECTIONS.find((name) => name === get('tab')) ?? 'deliveries';
  return (
    <Tabs
      keepMountedMode="display-none"
      value={tab}
      onChange={(next) => set({ tab: next === 'deliveries' ? null : next })}
    >
      <Tabs.List aria-label="About this webhook" mb="md">
        <Tabs.Tab value="deliveries">Deliveries</Tabs.Tab>
        <Tabs.Tab value="settings">Settings</Tabs.Tab>
        <Tabs.Tab value="verify">How to verify</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="deliveries">
        <Deliveries id={webhook.id} sending={sending} />
      </Tabs.Panel>
      <Tabs.Panel value="settings">
        <WebhookSettings webhook={webhook} />
      </Tabs.Panel>
      <Tabs.Panel value="verify">
        <HowToVerify />
      </Tabs.Panel>
    </Tabs>
  );
}
