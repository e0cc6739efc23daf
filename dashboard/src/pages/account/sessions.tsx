import { Group, Stack, Switch, Title } from '@mantine/core';
import { useSearchState } from '../../parts/use-search-state';
import { useHasRole, useOperator } from '../../session/use-session';
import { EndAllSessions } from './end-all-sessions';
import { useOperatorNames } from './session-queries';
import { SessionTable } from './session-table';

const NO_NAMES: ReadonlyMap<string, string> = new Map();

export function Sessions() {
  const { id: ownId } = useOperator();
  const seesAll = useHasRole('owner');
  const { get, set, page } = useSearchState();
  const everybody = seesAll && get('who') === 'all';
  const names = useOperatorNames(everybody);
  const title = everybody ? 'Sessions of all operators' : 'Your sessions';
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Group>
          {seesAll && (
            <Switch
              label="All operators"
              checked={everybody}
              onChange={(event) => set({ who: event.currentTarget.checked ? 'all' : null })}
            />
          )}
          {!everybody && <EndAllSessions operatorId={ownId} whose={null} />}
        </Group>
      </Group>
      <SessionTable
        label={title}
        operatorId={everybody ? null : ownId}
        names={everybody ? (names ?? NO_NAMES) : undefined}
        page={page}
      />
    </Stack>
  );
}
