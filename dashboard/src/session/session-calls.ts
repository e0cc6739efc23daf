import { ApiError } from '../api/api-error';
import { sessionState, type Operator } from './session-state';
import { followTabs, notifyTabs } from './tabs';

interface Session {
  readonly operator: Operator;
  readonly csrf_token: string;
}

/** Reads the session from the gateway and updates the session state. */
export async function readSession(): Promise<void> {
  try {
    enter((await call('GET', 'session')) as Session);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    if ('operator' in sessionState.get()) sessionState.ended();
    else sessionState.signedOut();
  }
}

export async function signIn(email: string, password: string): Promise<void> {
  const session = (await call('POST', 'session', { email, password })) as Session;
  enter(session);
  notifyTabs(session.operator.id);
}

export async function signOut(): Promise<void> {
  // 401: the operator is already signed out.
  await call('DELETE', 'session').catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  });
  sessionState.signedOut();
  notifyTabs(null);
}

followTabs(readSession);

interface PasswordChange {
  readonly current_password: string;
  readonly new_password: string;
  readonly end_other_sessions: boolean;
}

export async function changePassword(change: PasswordChange): Promise<void> {
  try {
    await call('POST', 'password', change);
  } catch (error) {
    // A wrong current password is also a 401, with a different code.
    if (error instanceof ApiError && error.code === 'missing_api_key') sessionState.ended();
    throw error;
  }
}

function enter({ operator, csrf_token }: Session): void {
  sessionState.signedIn(operator, csrf_token);
}

/** Sign-in, sign-out and password changes use /dashboard, not the Admin API (D19). */
async function call(method: string, path: string, body?: object): Promise<unknown> {
  const token = sessionState.csrfToken();
  const response = await fetch(`/dashboard/${path}`, {
    method,
    credentials: 'same-origin',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === null || method === 'GET' ? {} : { 'x-csrf-token': token }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw ApiError.unreachable();
  });
  const text = await response.text();
  const received: unknown = text === '' ? undefined : parsed(text);
  if (!response.ok) throw ApiError.of(response, received);
  return received;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
