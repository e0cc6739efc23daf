import { sessionState } from './session-state';

/** What one tab does the others do too: they share the cookie. null: nobody is signed in any more. */
type Message = { readonly operatorId: string | null };

const channel = new BroadcastChannel('gateway-session');

export function tellTabs(operatorId: string | null): void {
  channel.postMessage({ operatorId } satisfies Message);
}

/**
 * Follows the other tabs: out when somebody has signed out there; in when somebody has signed in, whose session `read` is
 * to fetch, since this tab's own CSRF token belongs to the session before it.
 */
export function followTabs(read: () => Promise<void>): void {
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.operatorId === null) sessionState.signedOut();
    // A failure is met again by the next call, and told there.
    else read().catch(() => undefined);
  };
}
