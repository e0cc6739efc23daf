import { Alert, Code, Stack, Text } from '@mantine/core';
import { DataTable } from '../../parts/data-table';
import { Moment } from '../../parts/moment';
import { Page } from '../../parts/page';
import { SingleAccount } from './single-account';
import { useUpstreams } from './upstream-calls';
import { UPSTREAM_COLUMNS } from './upstream-columns';
import type { UpstreamList } from './upstream-types';

export function UpstreamsPage() {
  const upstreams = useUpstreams();
  const { data } = upstreams;
  return (
    <Page title="Upstreams">
      <Stack gap="md">
        {data?.reload_failed === true && <ReloadFailed {...data} />}
        <DataTable
          label="Upstreams"
          columns={UPSTREAM_COLUMNS}
          rows={data?.upstreams}
          rowId={({ name }) => name}
          reading={upstreams}
          empty={<SingleAccount />}
        />
        {data !== undefined && data.upstreams.length > 0 && <Notes {...data} />}
      </Stack>
    </Page>
  );
}

function ReloadFailed({ loaded_at }: UpstreamList) {
  return (
    <Alert color="red" variant="outline" role="alert" title="The new upstreams file is invalid">
      <Text size="sm">
        The gateway continues with the content from <Moment at={loaded_at} />, but it cannot start with this file. The
        log shows each problem with its line. To see the problems, run <Code>npm run cli -- upstream check</Code> on the
        instance.
      </Text>
    </Alert>
  );
}

function Notes({ loaded_at, reload_failed }: UpstreamList) {
  return (
    <Text size="sm" maw={760} component="div">
      {!reload_failed && (
        <>
          The upstreams file was last loaded on <Moment at={loaded_at} />.{' '}
        </>
      )}
      The figures are those of the process that responded, since it started. Each process has its own figures. Use the
      metrics for the sum of all processes. The status is also that of one process, except for draining, which applies
      to all.
    </Text>
  );
}
