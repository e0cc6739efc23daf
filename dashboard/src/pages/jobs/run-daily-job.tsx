import { Button, List, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Confirm } from '../../parts/confirm';
import { showDone } from '../../parts/toasts';
import { useSearchState } from '../../parts/use-search-state';
import { runDailyJob } from './job-calls';

/** Begins the daily job; shows the first page, where its run is. */
export function RunDailyJob() {
  const [opened, { open, close }] = useDisclosure();
  const queries = useQueryClient();
  const { page, set } = useSearchState();
  async function run(): Promise<void> {
    await runDailyJob();
    if (page > 1) set({ page: null });
    showDone('The daily job is under way.');
    await queries.invalidateQueries({ queryKey: ['jobs'] });
  }
  return (
    <>
      <Button onClick={open}>Run the daily job now</Button>
      <Confirm opened={opened} onClose={close} title="Run the daily job now?" action="Run it now" run={run}>
        <Stack gap="xs">
          <Text size="sm">It does what it does by itself every day:</Text>
          <List size="sm" spacing={4}>
            <List.Item>
              looks for keys that expire soon, have expired, or are near or past a monthly limit, and sends the events
              and notifications that were not sent yet;
            </List.Item>
            <List.Item>deletes logs, deliveries and statistics that are past their time;</List.Item>
            <List.Item>makes room for the months to come.</List.Item>
          </List>
          <Text size="sm">If one is running already, that one goes on and no other begins.</Text>
        </Stack>
      </Confirm>
    </>
  );
}
