import { ActionIcon, Menu } from '@mantine/core';
import { DotsIcon } from '../../shell/icons';
import { actionsOf, KEY_ACTIONS } from './key-action.data';
import type { ApiKey } from './key-types';
import type { AskForAction } from './use-key-actions';

interface Props {
  readonly of: ApiKey;
  readonly ask: AskForAction;
}

export function KeyMenu({ of: key, ask }: Props) {
  const actions = actionsOf(key);
  if (actions.length === 0) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${key.name}`}>
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item key={action} c={KEY_ACTIONS[action].danger ? 'red' : undefined} onClick={() => ask(action, key)}>
            {KEY_ACTIONS[action].verb}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
