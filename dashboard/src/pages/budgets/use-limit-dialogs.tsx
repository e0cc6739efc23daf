import { useState, type ReactNode } from 'react';
import { DeleteLimit, PauseLimit, ResetLimit } from './limit-confirmations';
import type { Limit } from './limit-types';
import { TopUp } from './top-up';

export type LimitAction = 'top-up' | 'reset' | 'pause' | 'resume' | 'delete';
export type AskForLimit = (action: LimitAction, limit: Limit) => void;

export const LIMIT_ACTIONS: Readonly<Record<LimitAction, { readonly verb: string; readonly danger: boolean }>> = {
  'top-up': { verb: 'Top up', danger: false },
  reset: { verb: 'Reset', danger: false },
  pause: { verb: 'Pause', danger: false },
  resume: { verb: 'Resume', danger: false },
  delete: { verb: 'Delete', danger: true },
};

/** A limit on concurrent requests has nothing to reset, because each request stops counting when it ends. */
export const actionsOf = ({ enabled, measure }: Limit): readonly LimitAction[] => [
  'top-up',
  ...(measure === 'concurrent_requests' ? [] : (['reset'] as const)),
  enabled ? 'pause' : 'resume',
  'delete',
];

/**
 * Opens dialogs about limits. The page holds them, because a refetch can remove the row.
 * @param onDeleted runs after a limit was deleted
 */
export function useLimitDialogs(onDeleted?: () => void): { readonly ask: AskForLimit; readonly dialogs: ReactNode } {
  const [asked, setAsked] = useState<{ readonly action: LimitAction; readonly limit: Limit } | null>(null);
  const ask: AskForLimit = (action, limit) => setAsked({ action, limit });
  const onClose = () => setAsked(null);
  if (asked === null) return { ask, dialogs: null };
  const { action, limit } = asked;
  switch (action) {
    case 'top-up':
      return { ask, dialogs: <TopUp limit={limit} onClose={onClose} /> };
    case 'reset':
      return { ask, dialogs: <ResetLimit limit={limit} onClose={onClose} /> };
    case 'pause':
    case 'resume':
      return { ask, dialogs: <PauseLimit limit={limit} pause={action === 'pause'} onClose={onClose} /> };
    case 'delete':
      return { ask, dialogs: <DeleteLimit limit={limit} onClose={onClose} onDeleted={onDeleted} /> };
    default:
      return action satisfies never;
  }
}
