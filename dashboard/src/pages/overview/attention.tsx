import { Anchor, Badge, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { ErrorNotice } from '../../parts/error-notice';
import { Moment } from '../../parts/moment';
import { useLimits } from '../budgets/limit-calls';
import { useUpstreams } from '../upstreams/upstream-calls';
import { keyConcerns, keysOf } from './attention-keys.rules';
import { limitConcerns } from './attention-limits.rules';
import { jobConcerns, modelConcerns, readinessConcerns, webhookConcerns, type Concern } from './attention.rules';
import { upstreamConcerns } from './attention-upstreams.rules';
import {
  HEALTH_EVERY_MS,
  LIMITS_FIRST_TO_RUN_OUT,
  useKeysNow,
  useLastDailyRun,
  useNotifications,
  useReadiness,
  useUnavailableModels,
  useWebhooksOff,
} from './attention-queries';

const THINGS_SHOWN = 5;

/** Lists what an operator should look at, the most urgent first. One failed query does not hide the rest. */
export function Attention() {
  const { concerns, waiting, error, retry, keysAsOf } = useConcerns();
  return (
    <Stack gap="sm" component="section" aria-labelledby="attention">
      <Title order={2} size="h4" id="attention">
        Needs attention
      </Title>
      {error !== null && <ErrorNotice error={error} retry={retry} />}
      {concerns.length > 0 && (
        <Paper withBorder component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {concerns.map((concern, index) => (
            <ConcernRow key={concern.id} concern={concern} first={index === 0} />
          ))}
        </Paper>
      )}
      {waiting && concerns.length === 0 && <Skeleton height={48} />}
      {!waiting && error === null && concerns.length === 0 && (
        <Text size="sm" component="div">
          Nothing at the moment. The gateway is ready, and no upstream, limit, webhook, model or job needs attention.
          The daily job last checked the keys on <Moment at={keysAsOf} />.
        </Text>
      )}
    </Stack>
  );
}

function ConcernRow({ concern, first }: { readonly concern: Concern; readonly first: boolean }) {
  const { urgent, title, detail, to, things } = concern;
  return (
    <Group
      component="li"
      px="md"
      py="sm"
      gap="sm"
      align="flex-start"
      wrap="nowrap"
      style={first ? undefined : { borderTop: '1px solid var(--mantine-color-default-border)' }}
    >
      <Badge color={urgent ? 'red.8' : 'gray.7'} variant="filled" size="sm" mt={2} w={56} style={{ flexShrink: 0 }}>
        {urgent ? 'Now' : 'Soon'}
      </Badge>
      <Stack gap={2} style={{ minWidth: 0 }}>
        <Text size="sm">
          <Anchor component={Link} to={to} fw={600} underline="always" inherit>
            {title}
          </Anchor>
          . {detail}
        </Text>
        {things.length > 0 && (
          <Group gap="0 12px">
            {things.slice(0, THINGS_SHOWN).map((thing) => (
              <Anchor key={thing.to} component={Link} to={thing.to} size="sm" style={{ overflowWrap: 'anywhere' }}>
                {thing.label}
              </Anchor>
            ))}
            {things.length > THINGS_SHOWN && <Text size="sm">and {things.length - THINGS_SHOWN} more</Text>}
          </Group>
        )}
      </Stack>
    </Group>
  );
}

function useConcerns() {
  const readiness = useReadiness();
  const notifications = useNotifications();
  const webhooks = useWebhooksOff();
  const run = useLastDailyRun();
  const models = useUnavailableModels();
  const upstreams = useUpstreams(HEALTH_EVERY_MS);
  const limits = useLimits(LIMITS_FIRST_TO_RUN_OUT, HEALTH_EVERY_MS);
  const nowMs = Date.now();
  const { now, isPending: looksAtKeys } = useKeysNow(keysOf(notifications.data ?? [], nowMs));
  const all = [readiness, notifications, webhooks, run, models, upstreams, limits];
  const concerns = [
    ...(readiness.data === undefined ? [] : readinessConcerns(readiness.data, upstreams.data?.upstreams.length)),
    ...(upstreams.data === undefined ? [] : upstreamConcerns(upstreams.data)),
    // Wait for the current state. Solved problems would otherwise appear briefly.
    ...(looksAtKeys ? [] : keyConcerns(notifications.data ?? [], now, nowMs)),
    ...limitConcerns(limits.data?.limits ?? [], nowMs),
    ...webhookConcerns(webhooks.data ?? []),
    ...(run.data === undefined ? [] : jobConcerns(run.data, nowMs)),
    ...modelConcerns(models.data ?? 0),
  ];
  return {
    concerns: concerns.toSorted((one, other) => Number(other.urgent) - Number(one.urgent)),
    /** Only the daily job checks every key. */
    keysAsOf: run.data?.started_at,
    waiting: looksAtKeys || all.some(({ isPending }) => isPending),
    error: all.find(({ error: found }) => found !== null)?.error ?? null,
    retry: () => all.filter(({ isError }) => isError).forEach(({ refetch }) => void refetch()),
  };
}
