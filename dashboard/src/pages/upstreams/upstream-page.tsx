import { Anchor, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { ErrorNotice } from '../../parts/error-notice';
import { FactsTable, type Fact } from '../../parts/facts-table';
import { Moment } from '../../parts/moment';
import { count } from '../../parts/numbers';
import { Page } from '../../parts/page';
import { PageSkeleton } from '../../parts/page-skeleton';
import { StaleDataWarning } from '../../parts/stale-data-warning';
import { useHasRole } from '../../session/use-session';
import { AliasTable } from './alias-table';
import { TestResult } from './test-result';
import { UpstreamActions } from './upstream-actions';
import { useUpstream } from './upstream-calls';
import { UpstreamStatus } from './upstream-status';
import { STATUSES } from './upstream-status.data';
import type { Upstream } from './upstream-types';
import {
  apisInWords,
  cacheInWords,
  fallbacksInWords,
  latencyInWords,
  lastErrorInWords,
  shareInWords,
} from './upstream-words';
import { useUpstreamTest } from './use-upstream-test';

const ABOVE = { label: 'Upstreams', to: '/upstreams' };

export function UpstreamPage() {
  const { name = '' } = useParams();
  const reading = useUpstream(name);
  const { data, error, refetch } = reading;
  if (data !== undefined)
    return <Content key={name} upstream={data} warning={<StaleDataWarning reading={reading} />} />;
  return (
    <Page title="Upstream" above={ABOVE}>
      {error === null ? <PageSkeleton /> : <ErrorNotice error={error} retry={() => void refetch()} />}
    </Page>
  );
}

interface Props {
  readonly upstream: Upstream;
  readonly warning: ReactNode;
}

function Content({ upstream, warning }: Props) {
  const mayChange = useHasRole('admin');
  const test = useUpstreamTest(upstream.name);
  return (
    <Page
      title={upstream.name}
      above={ABOVE}
      actions={mayChange && <UpstreamActions upstream={upstream} testing={test.busy} test={test.run} />}
    >
      {warning}
      <div>
        <Group gap="sm">
          <UpstreamStatus status={upstream.status} plain />
          <Text size="sm">{STATUSES[upstream.status].means}</Text>
        </Group>
        {mayChange && <TestResult test={test} />}
      </div>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Section title="Settings" facts={settingsOf(upstream)} />
        <Section title="Figures of this process" facts={figuresOf(upstream)} />
      </SimpleGrid>
      <AliasTable aliases={upstream.aliases} />
      <Links name={upstream.name} />
    </Page>
  );
}

function Section({ title, facts }: { readonly title: string; readonly facts: readonly Fact[] }) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Paper>
        <FactsTable facts={facts} />
      </Paper>
    </Stack>
  );
}

const settingsOf = (upstream: Upstream): readonly Fact[] => [
  { name: 'Base URL', value: upstream.base_url },
  { name: 'APIs', value: apisInWords(upstream) },
  { name: 'Models', value: upstream.models === null ? 'not read yet' : count(upstream.models) },
  { name: 'Region', value: upstream.region ?? 'none' },
  { name: 'Tags', value: upstream.tags.length === 0 ? 'none' : upstream.tags.join(', ') },
  { name: 'Draining since', value: <Moment at={upstream.draining_since} never="not draining" /> },
];

const figuresOf = (upstream: Upstream): readonly Fact[] => [
  { name: 'Running', value: count(upstream.running) },
  { name: 'Waiting', value: count(upstream.waiting) },
  { name: 'Connections', value: count(upstream.connections) },
  { name: 'Share', value: shareInWords(upstream) },
  { name: 'Latency', value: `${latencyInWords(upstream)} until the response starts, recently` },
  { name: 'Requests', value: count(upstream.attempts) },
  { name: 'Failovers', value: count(upstream.failovers) },
  { name: 'Fallbacks to its models', value: fallbacksInWords(upstream) },
  { name: 'Last error', value: lastErrorInWords(upstream) },
  { name: 'Prompt cache', value: cacheInWords(upstream) },
];

function Links({ name }: { readonly name: string }) {
  return (
    <Anchor component={Link} to={`/audit?${new URLSearchParams({ target_id: name }).toString()}`} size="sm">
      Audit log
    </Anchor>
  );
}
