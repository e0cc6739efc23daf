export interface Operator {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: 'viewer' | 'admin' | 'owner';
}

/** `expired` keeps the open page until the same operator signs in again. */
export type SessionState =
  | { readonly kind: 'unknown' | 'signedOut' }
  | { readonly kind: 'signedIn' | 'expired'; readonly operator: Operator; readonly csrfToken: string };

let state: SessionState = { kind: 'unknown' };
const listeners = new Set<() => void>();

function become(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** The session state is outside React, because the API client reads the CSRF token and reports the end of the session. */
export const sessionState = {
  get: (): SessionState => state,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  csrfToken: (): string | null => ('csrfToken' in state ? state.csrfToken : null),
  signedIn: (operator: Operator, csrfToken: string): void => become({ kind: 'signedIn', operator, csrfToken }),
  signedOut: (): void => become({ kind: 'signedOut' }),
  ended(): void {
    if (state.kind === 'signedIn') become({ ...state, kind: 'expired' });
  },
};
