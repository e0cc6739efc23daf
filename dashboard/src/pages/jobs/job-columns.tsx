import { Badge, Box, Group, Loader, Stack, Text } from '@mantine/core';
import type { Column } from '../../parts/data-table';
import { Moment } from '../../parts/moment';
import { countsOf, durationMsOf, durationOf, JOB_NAMES, type JobRun } from './job-words';

const COLORS = { running: 'indigo', succeeded: 'green', failed: 'red' } as const;

export const JOB_COLUMNS: readonly Column<JobRun>[] = [
  { header: 'Job', cell: (run) => <Name {...run} />, csv: ({ job }) => job },
  { header: 'Outcome', cell: (run) => <Outcome {...run} />, csv: ({ outcome }) => outcome },
  {
    header: 'Started',
    cell: ({ started_at }) => (
      <Box miw={112}>
        <Moment at={started_at} />
      </Box>
    ),
    csv: ({ started_at }) => started_at,
  },
  { header: 'Duration', align: 'right', cell: durationOf, csv: durationMsOf },
  { header: 'Result', cell: (run) => <Counts {...run} />, csv: (run) => countsOf(run).join(', ') },
];

function Name({ job }: JobRun) {
  return (
    <Text size="sm" miw="max-content">
      {JOB_NAMES[job] ?? job}
    </Text>
  );
}

function Outcome({ outcome }: JobRun) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Badge variant={outcome === 'failed' ? 'filled' : 'light'} color={COLORS[outcome]} miw="max-content">
        {outcome}
      </Badge>
      {outcome === 'running' && <Loader size="xs" aria-hidden="true" />}
    </Group>
  );
}

function Counts(run: JobRun) {
  const counts = countsOf(run);
  return (
    <Stack gap={2} miw={220}>
      {run.outcome === 'failed' && <Text size="sm">The run is incomplete. The gateway’s log contains the cause.</Text>}
      {counts.length > 0 && <Text size="sm">{counts.join('; ')}</Text>}
      {counts.length === 0 && run.outcome === 'succeeded' && <Text size="sm">Nothing to do.</Text>}
      {counts.length === 0 && run.outcome === 'running' && <Text size="sm">The result appears when the run ends.</Text>}
    </Stack>
  );
}
