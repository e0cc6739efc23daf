import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, Navigate, useParams } from 'react-router';
import { ApiError } from '../../api/api-error';
import { ErrorNotice } from '../../parts/error-notice';
import { Moment } from '../../parts/moment';
import { Page } from '../../parts/page';
import { PageSkeleton } from '../../parts/page-skeleton';
import { StaleDataWarning } from '../../parts/stale-data-warning';
import { useSearchState } from '../../parts/use-search-state';
import { useHasRole } from '../../session/use-session';
import { LimitAlerts } from './limit-alerts';
import { LimitBadges } from './limit-badges';
import { useLimit } from './limit-calls';
import { LimitEdit } from './limit-edit';
import { LimitGaugeBar } from './limit-gauge-bar';
import { LimitSettings } from './limit-settings';
import { LimitTarget } from './limit-target';
import type { Limit } from './limit-types';
import { FORECAST_METHODS } from './limit-words.data';
import { LimitUsage } from './limit-usage';
import { amountWithUnit, forecastText, kindOf, titleOf, unitsOf } from './limit-words.rules';
import { TopUps } from './top-ups';
import { actionsOf, LIMIT_ACTIONS, useLimitDialogs } from './use-limit-dialogs';
import { useTargetNames } from './use-target-names';

const ABOVE = { label: 'Budgets', to: '/budgets' } as const;

/** Keeps loaded data visible if a refetch fails. */
export function LimitPage() {
  const { id = '' } = useParams();
  const limit = useLimit(Number(id));
  const [deleted, setDeleted] = useState(false);
  if (deleted) return <Navigate to="/budgets" replace />;
  if (limit.data !== undefined)
    return (
      <>
        <StaleDataWarning reading={limit} />
        <LimitDetail key={id} of={limit.data} onDeleted={() => setDeleted(true)} />
      </>
    );
  if (limit.error === null) return <PageSkeleton />;
  if (limit.error instanceof ApiError && limit.error.status === 404)
    return (
      <Page title="Limit not found" above={ABOVE}>
        <Text>
          No limit has this ID. It might have been deleted.{' '}
          <Anchor component={Link} to="/budgets" underline="always">
            Go to all limits
          </Anchor>
          .
        </Text>
      </Page>
    );
  return (
    <Page title="Limit" above={ABOVE}>
      <ErrorNotice error={limit.error} retry={() => void limit.refetch()} />
    </Page>
  );
}

interface DetailProps {
  readonly of: Limit;
  readonly onDeleted: () => void;
}

function LimitDetail({ of: limit, onDeleted }: DetailProps) {
  const mayChange = useHasRole('admin');
  const { get, set } = useSearchState();
  const editing = mayChange && get('edit') !== null;
  const { ask, dialogs } = useLimitDialogs(onDeleted);
  return (
    <Page
      title={titleOf(limit)}
      above={ABOVE}
      actions={
        mayChange && (
          <>
            <Button variant="default" px="sm" disabled={editing} onClick={() => set({ edit: '1' })}>
              Edit
            </Button>
            {actionsOf(limit).map((action) => (
              <Button
                key={action}
                variant="default"
                px="sm"
                c={LIMIT_ACTIONS[action].danger ? 'red' : undefined}
                onClick={() => ask(action, limit)}
              >
                {LIMIT_ACTIONS[action].verb}
              </Button>
            ))}
          </>
        )
      }
    >
      <Summary of={limit} />
      {editing && <LimitEdit of={limit} onDone={() => set({ edit: null })} />}
      <LimitSettings of={limit} />
      <TopUps of={limit} />
      <LimitAlerts of={limit} />
      {dialogs}
    </Page>
  );
}

function Summary({ of: limit }: { readonly of: Limit }) {
  const names = useTargetNames([limit]);
  const forecast = forecastText(limit, Date.now());
  return (
    <Paper withBorder p="md" component="section" aria-label="Current usage" maw={720}>
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start" gap="xs">
          <div>
            <LimitTarget of={limit} names={names} />
            <Text size="sm">{kindOf(limit)}</Text>
          </div>
          <LimitBadges of={limit} />
        </Group>
        <LimitUsage of={limit} />
        <LimitGaugeBar of={limit} />
        <Text size="sm" component="div">
          <Parts of={limit} />
          {forecast !== null && (
            <div>
              {forecast}. {FORECAST_METHODS[limit.forecast?.method ?? '']}
            </div>
          )}
          {limit.resets_at !== null && (
            <div>
              Resets <Moment at={limit.resets_at} ago />
            </div>
          )}
        </Text>
        <Anchor component={Link} to={`/audit?target_id=${limit.id}`} size="sm">
          Audit log
        </Anchor>
      </Stack>
    </Paper>
  );
}

function Parts({ of: limit }: { readonly of: Limit }) {
  const { measure, amount, carried_over, top_ups, estimated } = limit;
  const parts = [
    ...(unitsOf(measure, top_ups) > 0n ? [`${amountWithUnit(measure, top_ups)} from top-ups`] : []),
    ...(unitsOf(measure, carried_over) > 0n ? [`${amountWithUnit(measure, carried_over)} carried over`] : []),
  ];
  return (
    <>
      {parts.length > 0 && (
        <div>
          The amount is {amountWithUnit(measure, amount)}, and {parts.join(' and ')}.
        </div>
      )}
      {unitsOf(measure, estimated) > 0n && (
        <div>{amountWithUnit(measure, estimated)} of the used amount is estimated.</div>
      )}
    </>
  );
}
