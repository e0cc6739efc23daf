import { Button, Group, Stack, Switch, Text, Title } from '@mantine/core';
import { DataTable } from '../../parts/data-table';
import { shareText } from '../../parts/numbers';
import { Page } from '../../parts/page';
import { RefreshButton } from '../../parts/refresh-button';
import { useOpened } from '../../parts/use-opened';
import { useSearchState } from '../../parts/use-search-state';
import { FindById } from './find-by-id';
import { OneRequest } from './one-request';
import { requestColumns } from './request-columns';
import { RequestDrawer } from './request-drawer';
import { csvPath } from './request-queries';
import { RequestsEmpty } from './requests-empty';
import { RequestsFilters } from './requests-filters';
import { useRequestList } from './use-request-list';

export function RequestsPage() {
  const { get } = useSearchState();
  const id = get('request_id');
  const list = useRequestList(id === null);
  return (
    <Page
      title="Requests"
      actions={
        id === null && (
          <>
            <Switch
              label="Live"
              checked={list.live}
              onChange={(event) => list.setLive(event.currentTarget.checked)}
              description="New requests every 5 s"
            />
            <RefreshButton refetch={list.requests.refetch} />
          </>
        )
      }
    >
      <FindById />
      {id === null ? <Kept {...list} /> : <OneRequest key={id} id={id} />}
    </Page>
  );
}

function Kept({ requests, query, filtered, setLive }: ReturnType<typeof useRequestList>) {
  const { id, open, close } = useOpened();
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = requests;
  const rows = data?.pages.flatMap((page) => page.requests);
  function loadMore(): void {
    // Rows must not move while someone reads further down.
    setLive(false);
    void fetchNextPage();
  }
  return (
    <Stack gap="md">
      <RequestsFilters />
      <Title order={2} className="visually-hidden">
        Stored requests
      </Title>
      <DataTable
        label="Requests"
        columns={requestColumns(open)}
        rows={rows}
        rowId={({ id: row }) => row}
        reading={requests}
        empty={<RequestsEmpty filtered={filtered} sampleRate={data?.pages[0]?.sample_rate} />}
        csvPath={csvPath(query)}
      />
      {hasNextPage && (
        <Group>
          <Button variant="default" loading={isFetchingNextPage} onClick={loadMore}>
            Load more
          </Button>
        </Group>
      )}
      {data !== undefined && <KeptNote sampleRate={data.pages[0]?.sample_rate} />}
      <RequestDrawer id={id} rows={rows ?? []} onClose={close} />
    </Stack>
  );
}

function KeptNote({ sampleRate }: { readonly sampleRate: number | undefined }) {
  return (
    <Text size="sm" maw={760}>
      The gateway keeps rejected and failed requests for 7 days, at most 50 per second and process, and the first
      requests of each new key. {sampleText(sampleRate)} Request bodies are never stored.
    </Text>
  );
}

const sampleText = (rate: number | undefined): string =>
  rate === undefined || rate === 0
    ? 'It keeps no sample of other requests, because GW_LOG_SAMPLE_RATE is 0.'
    : `A sample of ${shareText(rate)} of all requests (GW_LOG_SAMPLE_RATE) is kept for one year.`;
