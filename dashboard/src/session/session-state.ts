/** Who is signed in; `expired`: was, and what is open on the page is kept until the same person signs in again. */
export interface Operator {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: 'viewer' | 'admin' | 'owner';
}

export type SessionState =
  | { readonly kind: 'unknown' | 'signedOut' }
  | { readonly kind: 'signedIn' | 'expired'; readonly operator: Operator; readonly csrfToken: string };

let state: SessionState = { kind: 'unknown' };
const listeners = new Set<() => void>();

function become(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Outside React, since the client needs the CSRF token and tells when the session has ended. */
export const sessionState = {
  get: (): SessionState => state,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  csrfToken: (): string | null => ('csrfToken' in state ? state.csrfToken : null),
  signedIn: (operator: Operator, csrfToken: string): void => become({ kind: 'signedIn', operator, csrfToken }),
  signedOut: (): void => become({ kind: 'signedOut' }),
  /** Keeps who it was, for signing in again. */
  ended(): void {
    if (state.kind === 'signedIn') become({ ...state, kind: 'expired' });
  },
};
