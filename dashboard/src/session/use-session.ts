import { useSyncExternalStore } from 'react';
import { sessionState, type Operator, type SessionState } from './session-state';

const RANK = { viewer: 0, admin: 1, owner: 2 } as const;

export const useSession = (): SessionState => useSyncExternalStore(sessionState.subscribe, sessionState.get);

/** @throws Error outside the frame */
export function useOperator(): Operator {
  const state = useSession();
  if (!('operator' in state)) throw new Error('No operator is signed in');
  return state.operator;
}

/** Pages hide actions that the operator's role does not allow. */
export function useHasRole(least: Operator['role']): boolean {
  const state = useSession();
  return 'operator' in state && RANK[state.operator.role] >= RANK[least];
}
