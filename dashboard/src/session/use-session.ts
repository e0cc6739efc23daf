import { useSyncExternalStore } from 'react';
import { sessionState, type Operator, type SessionState } from './session-state';

const RANK = { viewer: 0, admin: 1, owner: 2 } as const;

export const useSession = (): SessionState => useSyncExternalStore(sessionState.subscribe, sessionState.get);

/** Who is signed in. Only inside the frame, where somebody is. */
export function useOperator(): Operator {
  const state = useSession();
  if (!('operator' in state)) throw new Error('Nobody is signed in');
  return state.operator;
}

/** Whether the role of whoever is signed in reaches `least`: what it may not do is not offered. */
export function useMay(least: Operator['role']): boolean {
  const state = useSession();
  return 'operator' in state && RANK[state.operator.role] >= RANK[least];
}
