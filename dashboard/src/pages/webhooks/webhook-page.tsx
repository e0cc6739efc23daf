import { Alert, Group, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { Navigate, useParams } from 'react-router';
import { ErrorNotice } from '../../parts/error-notice';
import { Page } from '../../parts/page';
import { PageSkeleton } from '../../parts/page-skeleton';
import { useSearchState } from '../../parts/use-search-state';
import { useHasRole } from '../../session/use-session';
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
  const mayChange = useHasRole('admin');
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
        <Alert color="red" title="The gateway disabled this webhook">
          <Text size="sm">
            All deliveries failed for three days. Fix the receiver, send a test event to check it, then enable the
            webhook. You can retry the failed deliveries from the list below.
          </Text>
        </Alert>
      )}
      <Sections webhook={webhook} sending={sending} />
    </Page>
  );
}

const SECTIONS = ['deliveries', 'settings', 'verify'] as const;

/** All tabs stay mounted, so that unsaved input in one survives a switch to another. */
function Sections({ webhook, sending }: { readonly webhook: Webhook; readonly sending: Sending }) {
  const { get, set } = useSearchState();
  const tab = SECTIONS.find((name) => name === get('tab')) ?? 'deliveries';
  return (
    <Tabs
      keepMountedMode="display-none"
      value={tab}
      onChange={(next) => set({ tab: next === 'deliveries' ? null : next })}
    >
      <Tabs.List aria-label="Webhook sections" mb="md">
        <Tabs.Tab value="deliveries">Deliveries</Tabs.Tab>
        <Tabs.Tab value="settings">Settings</Tabs.Tab>
        <Tabs.Tab value="verify">Verification</Tabs.Tab>
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
