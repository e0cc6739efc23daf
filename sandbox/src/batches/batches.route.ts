import { storedFile } from '../files/files.route.js';
import { createObject, keptObject, type ObjectFamily, objectRoutes, statusRoute } from '../memory/object-routes.js';
import type { StoredObject } from '../memory/stored-object.js';
import { jsonResponse, type JsonResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { objectOr, requiredString } from '../wire/fields.js';
import { isJsonObject, type JsonObject } from '../wire/json-object.js';

const LINES_MAX = 1_000;
const ENTRY_BYTES = 1_000;
const DAY_SECONDS = 86_400;
const ENDPOINTS = [
  '/v1/responses',
  '/v1/chat/completions',
  '/v1/embeddings',
  '/v1/completions',
  '/v1/moderations',
  '/v1/images/generations',
  '/v1/videos',
];

const BATCHES: ObjectFamily = {
  kind: 'batch',
  path: '/v1/batches',
  make: ({ fields, memory }) => ({
    object: 'batch',
    endpoint: requiredString(fields, 'endpoint'),
    input_file_id: storedFile(memory, requiredString(fields, 'input_file_id')).id,
    completion_window: requiredString(fields, 'completion_window'),
    status: 'validating',
    errors: null,
    output_file_id: null,
    error_file_id: null,
    request_counts: { total: 0, completed: 0, failed: 0 },
    metadata: objectOr(fields.metadata, {}),
  }),
};

/** A batch waits until it is first read. All of its lines are processed then. */
export const BATCHES_ROUTES: readonly SandboxRoute[] = [
  ...objectRoutes(BATCHES).filter(({ method, path }) => method === 'GET' && path === BATCHES.path),
  { method: 'POST', path: BATCHES.path, handle: (request) => jsonResponse(createObject(BATCHES, request).object) },
  { method: 'GET', path: `${BATCHES.path}/{id}`, handle: retrieveBatch },
  statusRoute(BATCHES, '/cancel', ['validating', 'in_progress'], ({ created_at: createdAt }) => ({
    status: 'cancelled',
    cancelling_at: createdAt,
    cancelled_at: createdAt,
  })),
];

function retrieveBatch(request: SandboxRequest): JsonResponse {
  const stored = keptObject(BATCHES, request);

  return jsonResponse(stored.object.status === 'validating' ? runBatch(request, stored) : stored.object);
}

function runBatch(request: SandboxRequest, stored: StoredObject): JsonObject {
  const { memory } = request;
  const { input_file_id: input, endpoint, created_at: createdAt } = stored.object;
  const lines = storedFile(memory, String(input))
    .bytes.toString()
    .split('\n')
    .filter((line) => line.trim() !== '');
  const change = (fields: JsonObject): JsonObject => memory.objects.change('batch', stored, fields).object;
  const fault = faultOf(lines, String(endpoint));

  if (fault !== null) {
    return change({ status: 'failed', failed_at: createdAt, errors: { object: 'list', data: [fault] } });
  }

  const results = lines.map((line, index) => resultOf(request, line, `${stored.id}_${index}`));
  const failed = results.filter(({ ok }) => !ok);
  const keep = (kept: typeof results): string | null => (kept.length === 0 ? null : outputFile(request, kept));

  return change({
    status: 'completed',
    in_progress_at: createdAt,
    finalizing_at: createdAt,
    completed_at: createdAt,
    expires_at: Number(createdAt) + DAY_SECONDS,
    output_file_id: keep(results.filter(({ ok }) => ok)),
    error_file_id: keep(failed),
    request_counts: { total: lines.length, completed: lines.length - failed.length, failed: failed.length },
  });
}

function faultOf(lines: readonly string[], endpoint: string): JsonObject | null {
  const fault = (code: string, message: string, line: number | null = null): JsonObject => ({
    code,
    message,
    line,
    param: null,
  });

  if (!ENDPOINTS.includes(endpoint))
    return fault('invalid_endpoint', `The sandbox does not run batches for ${endpoint}.`);
  if (lines.length === 0) return fault('empty_file', 'The file contains no requests.');
  if (lines.length > LINES_MAX) return fault('too_many_requests', `The sandbox runs at most ${LINES_MAX} requests.`);

  const bad = lines.findIndex((line) => {
    const asked = parsed(line);

    return asked === null || asked.url !== endpoint || typeof asked.custom_id !== 'string' || !isJsonObject(asked.body);
  });

  if (bad < 0) return null;
  return fault('invalid_json_line', 'A line needs `custom_id`, the `url` of the batch and a `body` object.', bad + 1);
}

function resultOf(request: SandboxRequest, line: string, id: string): { ok: boolean; json: string } {
  const { custom_id: customId, url, body } = parsed(line) ?? {};
  const received = request.ask(String(url), { ...objectOr(body, {}), stream: false });
  const response = { status_code: received.status, request_id: `req_${id}`, body: received.body };

  return {
    ok: received.status < 400,
    json: JSON.stringify({ id: `batch_req_${id}`, custom_id: customId, response, error: null }),
  };
}

function outputFile({ memory }: SandboxRequest, results: readonly { json: string }[]): string {
  const bytes = Buffer.from(results.map(({ json }) => `${json}\n`).join(''));

  return memory.files.create(bytes.length + ENTRY_BYTES, (id, createdAt) => ({
    id,
    purpose: 'batch_output',
    filename: `${id}.jsonl`,
    createdAt,
    bytes,
  })).id;
}

function parsed(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);

    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
