import { sessionState } from './session-state';

/** Sent to the other tabs, which share the cookie. null means that the operator signed out. */
type Message = { readonly operatorId: string | null };

const channel = new BroadcastChannel('gateway-session');

export function notifyTabs(operatorId: string | null): void {
  channel.postMessage({ operatorId } satisfies Message);
}

/** Follows sign-outs and sign-ins in other tabs. After a sign-in, `read` fetches the new session and its CSRF token. */
export function followTabs(read: () => Promise<void>): void {
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.operatorId === null) sessionState.signedOut();
    // The next request reports a failure.
    else read().catch(() => undefined);
  };
}
