import { useState, type ReactNode } from 'react';
import type { ModelAction } from './model-actions.data';
import type { AskForAction } from './model-menu';
import type { ModelRow } from './model-types';
import { PolicyDialog } from './policy-dialog';
import { ProbeDialog } from './probe-dialog';

interface Asked {
  readonly action: ModelAction;
  readonly row: ModelRow;
  /** Creates a new dialog without earlier input each time it opens. */
  readonly turn: number;
}

/** The page holds the dialogs, because a refetch can remove the row. */
export function useModelDialogs(): { readonly ask: AskForAction; readonly dialogs: ReactNode } {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [opened, setOpened] = useState(false);
  const ask: AskForAction = (action, row) => {
    setAsked((before) => ({ action, row, turn: (before?.turn ?? 0) + 1 }));
    setOpened(true);
  };
  return { ask, dialogs: asked === null ? null : dialogOf(asked, opened, () => setOpened(false)) };
}

function dialogOf({ action, row, turn }: Asked, opened: boolean, onClose: () => void): ReactNode {
  const shared = { opened, onClose, of: row };
  if (action === 'probe') return <ProbeDialog {...shared} key={turn} />;
  return <PolicyDialog {...shared} key={turn} action={action} />;
}
