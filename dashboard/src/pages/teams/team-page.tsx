import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link, Navigate, useParams } from 'react-router';
import { ApiError } from '../../api/api-error';
import { CopyButton } from '../../parts/copy-button';
import { ErrorNotice } from '../../parts/error-notice';
import { Moment } from '../../parts/moment';
import { Page } from '../../parts/page';
import { PageSkeleton } from '../../parts/page-skeleton';
import { StaleDataWarning } from '../../parts/stale-data-warning';
import { TagBadges } from '../../parts/tag-badges';
import { useHasRole } from '../../session/use-session';
import { AppliedLimits } from '../budgets/applied-limits';
import { useTeam } from './team-calls';
import { TeamKeys } from './team-keys';
import type { Team } from './team-types';
import { useTeamDialogs } from './use-team-dialogs';

const ABOVE = { label: 'Teams', to: '/teams' } as const;

/** Keeps loaded data visible if a refetch fails. */
export function TeamPage() {
  const { id = '' } = useParams();
  const team = useTeam(id);
  const [deleted, setDeleted] = useState(false);
  if (deleted) return <Navigate to="/teams" replace />;
  if (team.data !== undefined)
    return (
      <TeamDetail key={id} of={team.data} onDeleted={() => setDeleted(true)}>
        <StaleDataWarning reading={team} />
      </TeamDetail>
    );
  if (team.error === null) return <PageSkeleton />;
  if (team.error instanceof ApiError && team.error.status === 404)
    return (
      <Page title="Team not found" above={ABOVE}>
        <Text>
          No team has this ID. Check the address, or{' '}
          <Anchor component={Link} to="/teams" underline="always">
            go to all teams
          </Anchor>
          .
        </Text>
      </Page>
    );
  return (
    <Page title="Team" above={ABOVE}>
      <ErrorNotice error={team.error} retry={() => void team.refetch()} />
    </Page>
  );
}

interface DetailProps {
  readonly of: Team;
  readonly onDeleted: () => void;
  readonly children: ReactNode;
}

function TeamDetail({ of: team, onDeleted, children }: DetailProps) {
  const mayChange = useHasRole('admin');
  const { ask, dialogs } = useTeamDialogs(onDeleted);
  return (
    <Page
      title={team.name}
      above={ABOVE}
      actions={
        mayChange && (
          <>
            <Button variant="default" onClick={() => ask({ kind: 'edit', team })}>
              Edit
            </Button>
            <Button variant="default" c="red" onClick={() => ask({ kind: 'delete', team })}>
              Delete
            </Button>
          </>
        )
      }
    >
      {children}
      <Facts of={team} />
      <AppliedLimits
        title="Limits of the team"
        query={{ team_id: team.id }}
        add={`/budgets/new?scope=team&team_id=${team.id}`}
        none="This team has no limits of its own."
      />
      <Stack gap="sm" component="section" aria-label="Keys">
        <Title order={2} size="h4">
          Keys
        </Title>
        <TeamKeys team={team} />
      </Stack>
      {dialogs}
    </Page>
  );
}

function Facts({ of: { id, tags, created_at, updated_at } }: { readonly of: Team }) {
  return (
    <Stack gap="xs">
      <TagBadges tags={tags} />
      <Group gap={4} wrap="nowrap">
        <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {id}
        </Text>
        <CopyButton text={id} label="Copy ID" />
      </Group>
      <Group gap="4px 20px">
        <Text size="sm" component="span">
          Created: <Moment at={created_at} />
        </Text>
        <Text size="sm" component="span">
          Updated: <Moment at={updated_at} ago />
        </Text>
      </Group>
      <Group gap="md">
        <Anchor component={Link} to={`/costs?team_id=${id}`} size="sm">
          Costs
        </Anchor>
        <Anchor component={Link} to={`/audit?target_id=${id}`} size="sm">
          Audit log
        </Anchor>
      </Group>
    </Stack>
  );
}
