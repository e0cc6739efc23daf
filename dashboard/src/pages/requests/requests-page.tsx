import { Stack, Text, Title } from '@mantine/core';
import { DataTable } from '../../parts/data-table';
import { Page } from '../../parts/page';
import { useSearchState } from '../../parts/use-search-state';
import { FindById } from './find-by-id';
import { OneRequest } from './one-request';
import { RefreshButton } from '../../parts/refresh-button';
import { requestColumns } from './request-columns';
import { RequestDrawer } from './request-drawer';
import { RequestsEmpty } from './requests-empty';
import { RequestsFilters } from './requests-filters';
import { useOpened } from '../../parts/use-opened';
import { PAGE_SIZE, useRequestList } from './use-request-list';

export function RequestsPage() {
  const { get } = useSearchState();
  const id = get('request_id');
  const { requests, filtered } = useRequestList(id === null);
  return (
    <Page title="Requests" actions={id === null && <RefreshButton refetch={requests.refetch} />}>
      <FindById />
      {id === null ? <Sample requests={requests} filtered={filtered} /> : <OneRequest key={id} id={id} />}
    </Page>
  );
}

function Sample({ requests, filtered }: ReturnType<typeof useRequestList>) {
  const { id, open, close } = useOpened();
  const { data } = requests;
  return (
    <Stack gap="md">
      <RequestsFilters />
      <Title order={2} className="visually-hidden">
        Sample
      </Title>
      <DataTable
        label="Requests"
        columns={requestColumns(open, data?.logs.some(({ upstream }) => upstream !== null) === true)}
        rows={data?.logs}
        rowId={({ id: row }) => row}
        reading={requests}
        empty={<RequestsEmpty filtered={filtered} total={data?.total ?? 0} />}
        paging={{ total: data?.total ?? 0, pageSize: PAGE_SIZE, capped: data?.total_capped }}
      />
      {data?.total_capped === true && (
        <Text size="sm">
          More than 100,000 requests match. Only the newest 100,000 are available. Choose a period to see older ones.
        </Text>
      )}
      <SampleNote />
      <RequestDrawer id={id} rows={data?.logs ?? []} onClose={close} />
    </Stack>
  );
}

function SampleNote() {
  return (
    <Text size="sm" maw={760}>
      This list is a sample of all requests (GW_LOG_SAMPLE_RATE, 1% by default). It is kept for one year and contains no
      bodies. Rejected and failed requests outside the sample are kept for 7 days. You can find them only by ID.
    </Text>
  );
}
