import { SPECIFIED_ROUTES } from '../../../src/proxy/pass-through/pass-through.routes.data.js';

export const FILE_UPLOAD = 'POST /v1/files';

/** The routes of the API reference, repeated here so that a missing row in the route table fails a test. */
export const ROUTES: readonly string[] = [
  'GET /v1/files',
  FILE_UPLOAD,
  'GET /v1/files/{file_id}',
  'DELETE /v1/files/{file_id}',
  'GET /v1/files/{file_id}/content',
  'GET /v1/assistants',
  'POST /v1/assistants',
  ...['GET', 'POST', 'DELETE'].map((method) => `${method} /v1/assistants/{assistant_id}`),
  'GET /v1/threads',
  'POST /v1/threads',
  'GET /v1/threads/{thread_id}',
  'DELETE /v1/threads/{thread_id}',
  'GET /v1/threads/{thread_id}/messages',
  'POST /v1/threads/{thread_id}/messages',
  'GET /v1/threads/{thread_id}/messages/{message_id}',
  'GET /v1/threads/{thread_id}/runs',
  'POST /v1/threads/{thread_id}/runs',
  'GET /v1/threads/{thread_id}/runs/{run_id}',
  'POST /v1/threads/{thread_id}/runs/{run_id}/cancel',
  'GET /v1/threads/{thread_id}/runs/{run_id}/steps',
  'GET /v1/vector_stores',
  'POST /v1/vector_stores',
  ...['GET', 'POST', 'DELETE'].map((method) => `${method} /v1/vector_stores/{vector_store_id}`),
  ...['GET', 'POST'].map((method) => `${method} /v1/vector_stores/{vector_store_id}/files`),
  ...['GET', 'DELETE'].map((method) => `${method} /v1/vector_stores/{vector_store_id}/files/{file_id}`),
];

/** Routes whose body can name a model (D9). */
export const GATED = ['/v1/assistants', '/v1/assistants/{assistant_id}', '/v1/threads/{thread_id}/runs'];

export const tableRows = (): string[] =>
  SPECIFIED_ROUTES.flatMap(({ routes }) => routes.map(({ method, path }) => `${method} ${path}`));

/** Splits a route such as `GET /v1/files/{file_id}` and replaces its placeholders with `id`. */
export function withIds(route: string, id = 'x-1'): { readonly method: string; readonly path: string } {
  const [method, path] = route.split(' ') as [string, string];
  return { method, path: path.replace(/\{\w+\}/g, id) };
}
