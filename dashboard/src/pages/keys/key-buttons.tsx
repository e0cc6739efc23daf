import { Button } from '@mantine/core';
import { actionsOf, KEY_ACTIONS } from './key-action.data';
import type { ApiKey } from './key-types';
import type { AskForAction } from './use-key-actions';

interface Props {
  readonly of: ApiKey;
  readonly ask: AskForAction;
  readonly edit: () => void;
  readonly editing: boolean;
}

export function KeyButtons({ of: key, ask, edit, editing }: Props) {
  return (
    <>
      <Button variant="default" size="sm" px="sm" onClick={edit} disabled={editing}>
        Edit
      </Button>
      {actionsOf(key).map((action) => (
        <Button
          key={action}
          size="sm"
          px="sm"
          variant="default"
          c={action === 'revoke' ? 'red' : undefined}
          onClick={() => ask(action, key)}
        >
          {KEY_ACTIONS[action].verb}
        </Button>
      ))}
    </>
  );
}
