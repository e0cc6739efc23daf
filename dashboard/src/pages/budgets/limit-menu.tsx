import { ActionIcon, Menu } from '@mantine/core';
import { Link } from 'react-router';
import { DotsIcon } from '../../shell/icons';
import type { Limit } from './limit-types';
import { titleOf } from './limit-words.rules';
import { actionsOf, type AskForLimit, LIMIT_ACTIONS } from './use-limit-dialogs';

interface Props {
  readonly of: Limit;
  readonly ask: AskForLimit;
}

export function LimitMenu({ of: limit, ask }: Props) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${titleOf(limit)}`}>
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={`/budgets/${limit.id}?edit=1`}>
          Edit
        </Menu.Item>
        {actionsOf(limit).map((action) => (
          <Menu.Item
            key={action}
            c={LIMIT_ACTIONS[action].danger ? 'red' : undefined}
            onClick={() => ask(action, limit)}
          >
            {LIMIT_ACTIONS[action].verb}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
