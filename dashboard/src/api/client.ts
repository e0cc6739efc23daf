import createClient, { type Middleware } from 'openapi-fetch';
import { sessionState } from '../session/session-state';
import { ApiError } from './api-error';
import type { paths } from './schema';

const session: Middleware = {
  onRequest({ request }) {
    const token = sessionState.csrfToken();
    if (request.method !== 'GET' && token !== null) request.headers.set('x-csrf-token', token);
    return request;
  },
  onResponse({ response, schemaPath }) {
    if (response.status === 401 && schemaPath.startsWith('/admin/')) sessionState.ended();
  },
  onError() {
    return ApiError.unreachable();
  },
};

export const api = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' });
api.use(session);

interface Outcome<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** @throws ApiError unless the status is 2xx */
export async function responseBodyOf<T>(call: Promise<Outcome<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw ApiError.of(response, error);
  return data as T;
}
