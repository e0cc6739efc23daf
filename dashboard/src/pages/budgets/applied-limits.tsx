import { Anchor, Button, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { ErrorNotice } from '../../parts/error-notice';
import { count } from '../../parts/numbers';
import { StaleDataWarning } from '../../parts/stale-data-warning';
import { useHasRole } from '../../session/use-session';
import { SHOWN_MAX, useLimits } from './limit-calls';
import { LimitCard } from './limit-card';
import { useTargetNames } from './use-target-names';

interface Props {
  readonly title: string;
  readonly query: { readonly applies_to_key: string } | { readonly team_id: string };
  /** The address of the form for a new limit. */
  readonly add: string;
  /** The text that is shown if there are no limits. */
  readonly none: string;
}

/** Shows the limits of a key or a team as gauges, in the order in which they run out. */
export function AppliedLimits({ title, query, add, none }: Props) {
  const mayChange = useHasRole('admin');
  const limits = useLimits({ ...query, sort: 'runs_out', limit: SHOWN_MAX });
  const { data } = limits;
  const names = useTargetNames(data?.limits ?? []);
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {title}
        </Title>
        {mayChange && (
          <Button component={Link} to={add} size="xs" variant="default">
            Add limit
          </Button>
        )}
      </Group>
      <StaleDataWarning reading={limits} />
      {data === undefined && limits.error !== null && (
        <ErrorNotice error={limits.error} retry={() => void limits.refetch()} />
      )}
      {data === undefined && limits.error === null && <Skeleton height={120} />}
      {data?.limits.length === 0 && <Text size="sm">{none}</Text>}
      {data !== undefined && data.limits.length > 0 && (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
          {data.limits.map((limit) => (
            <LimitCard key={limit.id} of={limit} names={names} />
          ))}
        </SimpleGrid>
      )}
      {data !== undefined && data.total > data.limits.length && (
        <Anchor component={Link} to={`/budgets?${new URLSearchParams(query).toString()}`} size="sm">
          All {count(data.total)} limits
        </Anchor>
      )}
    </Stack>
  );
}
