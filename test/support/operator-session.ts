import { randomUUID } from 'node:crypto';
import { ADMIN_KEY, type Response } from './gateway.js';

export type Role = 'viewer' | 'admin' | 'owner';

export const OPERATOR_PASSWORD = 'Correct-horse-battery-9';

interface Callable {
  readonly url: string;
}

export interface TestOperator {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly disabled: boolean;
}

export interface SessionBody {
  readonly operator: { readonly id: string; readonly email: string; readonly name: string; readonly role: Role };
  readonly csrf_token: string;
  readonly expires_at: string;
}

interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Sends a request without any credentials except those in `headers`. */
export async function callPlainly<T = Record<string, unknown>>(
  { url }: Callable,
  method: string,
  path: string,
  { headers = {}, body }: CallOptions = {},
): Promise<Response<T>> {
  const response = await fetch(url + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (text.startsWith('{') ? JSON.parse(text) : {}) as T,
  };
}

export const signIn = (gateway: Callable, email: string, password: string, headers: Record<string, string> = {}) =>
  callPlainly<SessionBody & Record<string, unknown>>(gateway, 'POST', '/dashboard/session', {
    headers,
    body: { email, password },
  });

/** Returns the whole session cookie that a response sets, if any. */
export const cookieIn = ({ headers }: { readonly headers: Headers }): string | undefined =>
  headers.getSetCookie().find((cookie) => cookie.startsWith('gw_admin_session='));

export const tokenIn = (cookie: string): string => /^gw_admin_session=([^;]*)/.exec(cookie)![1]!;

export async function createOperator(
  gateway: Callable,
  role: Role,
  fields: Record<string, unknown> = {},
): Promise<TestOperator> {
  const response = await callPlainly<TestOperator & Record<string, unknown>>(gateway, 'POST', '/admin/operators', {
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
    body: { email: `${role}-${randomUUID()}@example.com`, name: role, role, password: OPERATOR_PASSWORD, ...fields },
  });
  if (response.status !== 201) throw new Error(`The operator was not created: ${response.status} ${response.text}`);
  return response.body;
}

/** A signed-in operator. Every request contains the session cookie, and every request except GET the CSRF token. */
export class OperatorSession {
  private constructor(
    private readonly gateway: Callable,
    readonly operator: SessionBody['operator'],
    readonly token: string,
    readonly csrfToken: string,
  ) {}

  static async open(gateway: Callable, email: string, password = OPERATOR_PASSWORD): Promise<OperatorSession> {
    const response = await signIn(gateway, email, password);
    const cookie = cookieIn(response);
    if (response.status !== 200 || cookie === undefined)
      throw new Error(`The sign-in failed: ${response.status} ${response.text}`);
    return new OperatorSession(gateway, response.body.operator, tokenIn(cookie), response.body.csrf_token);
  }

  /** Creates an operator with this role and signs in. */
  static async of(gateway: Callable, role: Role): Promise<OperatorSession> {
    return OperatorSession.open(gateway, (await createOperator(gateway, role)).email);
  }

  get cookie(): string {
    return `gw_admin_session=${this.token}`;
  }

  /** Returns the same session for another gateway with the same database. */
  at(elsewhere: Callable): OperatorSession {
    return new OperatorSession(elsewhere, this.operator, this.token, this.csrfToken);
  }

  call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response<T>> {
    const csrf: Record<string, string> = method === 'GET' ? {} : { 'x-csrf-token': this.csrfToken };
    return callPlainly<T>(this.gateway, method, path, { headers: { cookie: this.cookie, ...csrf, ...headers }, body });
  }
}
