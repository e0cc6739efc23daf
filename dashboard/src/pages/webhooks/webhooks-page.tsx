import { Anchor, Box, Button } from '@mantine/core';
import { Link } from 'react-router';
import { clamped } from '../../parts/clamped';
import { DataTable, type Column } from '../../parts/data-table';
import { EmptyState } from '../../parts/empty-state';
import { Moment } from '../../parts/moment';
import { Page } from '../../parts/page';
import { useSearchState } from '../../parts/use-search-state';
import { useHasRole } from '../../session/use-session';
import { eventsInWords } from './event-types.data';
import { NewWebhook } from './new-webhook';
import { PAGE_SIZE, useWebhooks } from './webhook-calls';
import { WebhookState } from './webhook-state';
import type { Webhook } from './webhook-types';

const COLUMNS: readonly Column<Webhook>[] = [
  {
    header: 'URL',
    cell: ({ id, url }) => (
      <Anchor component={Link} to={`/webhooks/${id}`} size="sm" miw={190} {...clamped(url)}>
        {url}
      </Anchor>
    ),
    csv: ({ url }) => url,
  },
  {
    header: 'Status',
    cell: (row) => <WebhookState {...row} />,
    csv: ({ enabled, disabled_reason }) => (enabled ? 'enabled' : (disabled_reason ?? 'disabled')),
  },
  {
    header: 'Events',
    cell: ({ events }) => <Box miw={130}>{eventsInWords(events)}</Box>,
    csv: ({ events }) => events.join(' '),
  },
  {
    header: 'Created',
    cell: ({ created_at }) => (
      <Box miw={112}>
        <Moment at={created_at} />
      </Box>
    ),
    csv: ({ created_at }) => created_at,
  },
];

/** The drawer for a new webhook has its own URL, so that a link opens it and the back button closes it. */
export function WebhooksPage() {
  const mayChange = useHasRole('admin');
  const { get, set, page } = useSearchState();
  const webhooks = useWebhooks(page);
  const open = () => set({ new: '1' });
  return (
    <Page title="Webhooks" actions={mayChange && <Button onClick={open}>Create webhook</Button>}>
      <DataTable
        label="Webhooks"
        columns={COLUMNS}
        rows={webhooks.data?.webhooks}
        rowId={({ id }) => id}
        reading={webhooks}
        empty={
          <EmptyState title="No webhooks yet">
            A webhook sends events about keys and limits to a URL, for example when a key is created, expires soon or
            reaches its limit. {mayChange ? 'Create one to receive events.' : 'Ask an admin to create one.'}
          </EmptyState>
        }
        paging={{ total: webhooks.data?.total ?? 0, pageSize: PAGE_SIZE }}
      />
      {mayChange && <NewWebhook opened={get('new') !== null} onClose={() => set({ new: null })} />}
    </Page>
  );
}
