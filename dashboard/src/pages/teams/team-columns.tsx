import { ActionIcon, Anchor, Box, Menu } from '@mantine/core';
import { Link } from 'react-router';
import { clamped } from '../../parts/clamped';
import type { Column } from '../../parts/data-table';
import { Moment } from '../../parts/moment';
import { count } from '../../parts/numbers';
import { TagBadges } from '../../parts/tag-badges';
import { DotsIcon } from '../../shell/icons';
import type { Team } from './team-types';
import type { AskForTeam } from './use-team-dialogs';

/** @param ask null for an operator who must not change teams */
export const teamColumns = (ask: AskForTeam | null, costs: readonly Column<Team>[]): readonly Column<Team>[] => [
  { header: 'Name', cell: Name, csv: ({ name }) => name },
  {
    header: 'Keys',
    align: 'right',
    cell: ({ id, keys }) => (
      <Anchor component={Link} to={`/keys?team_id=${id}`} size="sm" aria-label={`${count(keys)} keys`}>
        {count(keys)}
      </Anchor>
    ),
    csv: ({ keys }) => keys,
  },
  { header: 'Tags', cell: ({ tags }) => <Tags tags={tags} />, csv: ({ tags }) => tags.join(' ') },
  ...costs,
  {
    header: 'Created',
    wide: true,
    cell: ({ created_at }) => (
      <Box miw={112}>
        <Moment at={created_at} />
      </Box>
    ),
    csv: ({ created_at }) => created_at,
  },
  ...(ask === null
    ? []
    : [{ header: 'Actions', align: 'right' as const, cell: (team: Team) => <TeamMenu of={team} ask={ask} /> }]),
];

const Name = ({ id, name }: Team) => (
  <Anchor component={Link} to={`/teams/${id}`} size="sm" fw={500} miw={140} maw={320} {...clamped(name)}>
    {name}
  </Anchor>
);

const Tags = ({ tags }: Pick<Team, 'tags'>) => (
  <Box miw={110} maw={360}>
    <TagBadges tags={tags} />
  </Box>
);

function TeamMenu({ of: team, ask }: { readonly of: Team; readonly ask: AskForTeam }) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${team.name}`}>
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => ask({ kind: 'edit', team })}>Edit</Menu.Item>
        <Menu.Item component={Link} to={`/budgets/new?scope=team&team_id=${team.id}`}>
          Add limit
        </Menu.Item>
        <Menu.Item c="red" onClick={() => ask({ kind: 'delete', team })}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
