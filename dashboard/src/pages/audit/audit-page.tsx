import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { DataTable } from '../../parts/data-table';
import { Page } from '../../parts/page';
import { RefreshButton } from '../../parts/refresh-button';
import { useOpened } from '../../parts/use-opened';
import { auditColumns } from './audit-columns';
import { AuditDrawer } from './audit-drawer';
import { AuditEmpty } from './audit-empty';
import { AuditFilters } from './audit-filters';
import { PAGE_SIZE, useAuditList } from './use-audit-list';
import { useNames } from './use-names';

export function AuditPage() {
  const { audit, filtered } = useAuditList();
  const { id, open, close } = useOpened();
  const { data } = audit;
  const names = useNames(data?.logs ?? []);
  return (
    <Page title="Audit log" actions={<Actions refetch={audit.refetch} />}>
      <Stack gap="md">
        <AuditFilters />
        <Title order={2} className="visually-hidden">
          Entries
        </Title>
        <DataTable
          label="Audit log"
          columns={auditColumns(names, open)}
          rows={data?.logs}
          rowId={({ id: row }) => row}
          reading={audit}
          empty={<AuditEmpty filtered={filtered} total={data?.total ?? 0} />}
          paging={{ total: data?.total ?? 0, pageSize: PAGE_SIZE, capped: data?.total_capped }}
        />
        {data?.total_capped === true && (
          <Text size="sm">
            More than 100,000 entries match. Only the newest 100,000 are available. Choose a period to see older ones.
          </Text>
        )}
        <Text size="sm" maw={760}>
          The gateway writes each entry in the same transaction as the change, so no change is missing. Entries are kept
          for one year and contain no secrets. Reads are not recorded.
        </Text>
      </Stack>
      <AuditDrawer id={id} rows={data?.logs} names={names} onClose={close} />
    </Page>
  );
}

function Actions({ refetch }: { readonly refetch: () => Promise<unknown> }) {
  return (
    <Group gap="xs">
      <Button component={Link} to="/lost-changes" variant="default">
        Lost changes
      </Button>
      <RefreshButton refetch={refetch} />
    </Group>
  );
}
