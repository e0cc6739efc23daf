import { Button, List, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Confirm } from '../../parts/confirm';
import { showDone } from '../../parts/toasts';
import { useSearchState } from '../../parts/use-search-state';
import { runDailyJob } from './job-calls';

export function RunDailyJob() {
  const [opened, { open, close }] = useDisclosure();
  const queries = useQueryClient();
  const { page, set } = useSearchState();
  async function run(): Promise<void> {
    await runDailyJob();
    if (page > 1) set({ page: null });
    showDone('Daily job started.');
    await queries.invalidateQueries({ queryKey: ['jobs'] });
  }
  return (
    <>
      <Button onClick={open}>Run daily job</Button>
      <Confirm opened={opened} onClose={close} title="Run the daily job now?" action="Run now" run={run}>
        <Stack gap="xs">
          <Text size="sm">The job also runs automatically every day. It does the following:</Text>
          <List size="sm" spacing={4}>
            <List.Item>
              Checks for keys that expire soon, have expired, or are near or over a monthly limit. It sends events and
              notifications that were not sent before.
            </List.Item>
            <List.Item>
              Deletes logs, deliveries and statistics whose retention period has ended. You cannot undo this.
            </List.Item>
            <List.Item>Creates database partitions for the coming months.</List.Item>
          </List>
          <Text size="sm">If the job is already running, no second run starts.</Text>
        </Stack>
      </Confirm>
    </>
  );
}
