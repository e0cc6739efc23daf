import { DataTable } from '../../parts/data-table';
import { EmptyState } from '../../parts/empty-state';
import { Page } from '../../parts/page';
import { useSearchState } from '../../parts/use-search-state';
import { useHasRole } from '../../session/use-session';
import { PAGE_SIZE, useJobs } from './job-calls';
import { JOB_COLUMNS } from './job-columns';
import { RunDailyJob } from './run-daily-job';

export function JobsPage() {
  const mayRun = useHasRole('admin');
  const { page } = useSearchState();
  const runs = useJobs(page);
  return (
    <Page title="Jobs" actions={mayRun && <RunDailyJob />}>
      <DataTable
        label="Job runs"
        columns={JOB_COLUMNS}
        rows={runs.data?.jobs}
        rowId={({ run_id }) => run_id}
        reading={runs}
        empty={
          <EmptyState title="No job runs yet">
            The daily job runs once a day. If a run is overdue when the gateway starts, the job runs shortly after
            startup.
          </EmptyState>
        }
        paging={{ total: runs.data?.total ?? 0, pageSize: PAGE_SIZE }}
      />
    </Page>
  );
}
