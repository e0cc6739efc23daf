import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { ErrorNotice } from '../../parts/error-notice';
import { StaleDataWarning } from '../../parts/stale-data-warning';
import { Page } from '../../parts/page';
import { daysOf, linkWith, periodText } from '../../parts/period';
import { PeriodChooser } from '../../parts/period-chooser';
import { usePeriod } from '../../parts/period-state';
import { sentOf, useUsage } from '../usage/usage-query';
import { Attention } from './attention';
import { useKeyCount } from './attention-queries';
import { FirstKey, FirstRequest } from './first-steps';
import { MonthCosts } from './month-costs';
import { OverviewTiles } from './overview-tiles';
import { TopLists } from './top-lists';

export function OverviewPage() {
  const isNew = useKeyCount().data === 0;
  return (
    <Page title="Overview" actions={isNew ? undefined : <PeriodChooser grain="day" />}>
      {isNew && <FirstKey />}
      <Attention />
      {!isNew && <MonthCosts />}
      {!isNew && <Traffic />}
    </Page>
  );
}

function Traffic() {
  const period = usePeriod();
  const usage = useUsage(daysOf(period), null);
  const when = periodText(period, 'day');
  return (
    <Stack gap="md" component="section" aria-labelledby="traffic" opacity={usage.isPlaceholderData ? 0.6 : 1}>
      <Title order={2} size="h4" id="traffic">
        Traffic, {when}
      </Title>
      {usage.isError && usage.data === undefined ? (
        <ErrorNotice error={usage.error} retry={() => void usage.refetch()} />
      ) : (
        <>
          <StaleDataWarning reading={usage} />
          <OverviewTiles usage={usage.data} />
          {usage.data !== undefined && sentOf(usage.data).requests === 0 ? (
            <FirstRequest when={when} />
          ) : (
            <TopLists usage={usage.data} />
          )}
        </>
      )}
      <Text size="sm" maw={760}>
        Requests, errors and tokens are exact and counted by UTC day. Latencies and endpoints come from a{' '}
        <Anchor component={Link} to={linkWith('/statistics', period)} inherit underline="always">
          sample
        </Anchor>{' '}
        of the requests.
      </Text>
    </Stack>
  );
}
