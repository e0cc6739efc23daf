import { ActionIcon, Menu } from '@mantine/core';
import { Link } from 'react-router';
import { DotsIcon } from '../../shell/icons';
import type { ModelAction } from './model-actions.data';
import type { ModelRow } from './model-types';

export type AskForAction = (action: ModelAction, row: ModelRow) => void;

interface Props {
  readonly of: ModelRow;
  readonly ask: AskForAction | null;
}

export function ModelMenu({ of: row, ask }: Props) {
  const query = new URLSearchParams({ model: row.model }).toString();
  return (
    <Menu position="bottom-end" withArrow>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${row.model}`}>
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {ask !== null && <Changes of={row} ask={ask} />}
        <Menu.Item component={Link} to={`/statistics?tab=keys&${query}`}>
          Statistics
        </Menu.Item>
        <Menu.Item component={Link} to={`/requests?${query}`}>
          Requests
        </Menu.Item>
        <Menu.Item component={Link} to={`/audit?${new URLSearchParams({ target_id: row.model }).toString()}`}>
          Audit log
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Changes({ of: row, ask }: { readonly of: ModelRow; readonly ask: AskForAction }) {
  return (
    <>
      {row.enabled !== true && <Menu.Item onClick={() => ask('allow', row)}>Allow</Menu.Item>}
      {row.enabled !== false && <Menu.Item onClick={() => ask('block', row)}>Block</Menu.Item>}
      {row.enabled !== null && <Menu.Item onClick={() => ask('note', row)}>Edit note</Menu.Item>}
      {row.enabled !== null && <Menu.Item onClick={() => ask('remove', row)}>Remove policy</Menu.Item>}
      {/* The gateway cannot probe a model that the provider does not list. */}
      {row.availability !== 'allowlist_only' && <Menu.Item onClick={() => ask('probe', row)}>Probe</Menu.Item>}
      <Menu.Divider />
    </>
  );
}
