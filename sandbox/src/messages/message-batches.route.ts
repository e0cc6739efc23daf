import { messagesPageOf } from '../memory/messages-page.js';
import type { StoredObject } from '../memory/stored-object.js';
import { jsonResponse, type JsonResponse, type SandboxResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { arrayOr, objectOr } from '../wire/fields.js';
import { isJsonObject, type JsonObject, parseJsonObject } from '../wire/json-object.js';
import { invalidValue, VendorError } from '../wire/vendor-error.js';
import { isoTime } from '../wire/iso-time.js';

const KIND = 'messageBatch';
const PATH = '/v1/messages/batches';
const REQUESTS_MAX = 1_000;
const DAY_SECONDS = 86_400;
const NO_COUNTS = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 };

/** The requests of a batch are processed when it is created. The batch ends when it is first read. */
export const MESSAGE_BATCHES_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: PATH, handle: createBatch },
  { method: 'GET', path: PATH, handle: listBatches },
  { method: 'GET', path: `${PATH}/{batch}`, handle: (request) => jsonResponse(ended(request).object) },
  { method: 'DELETE', path: `${PATH}/{batch}`, handle: deleteBatch },
  { method: 'POST', path: `${PATH}/{batch}/cancel`, handle: cancelBatch },
  { method: 'GET', path: `${PATH}/{batch}/results`, handle: batchResults },
];

function createBatch(request: SandboxRequest): JsonResponse {
  const { body, memory } = request;
  const requests = arrayOr(parseJsonObject(body).requests).filter(isJsonObject);

  if (requests.length === 0) throw invalidValue('requests', 'at least one request is required');
  if (requests.length > REQUESTS_MAX)
    throw invalidValue('requests', `the sandbox runs at most ${REQUESTS_MAX} requests`);

  const lines = requests.map((one) => JSON.stringify({ custom_id: one.custom_id, result: resultOf(request, one) }));
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const { object } = memory.objects.create({ kind: KIND, bytes }, (_id, createdAt) => ({
    type: 'message_batch',
    processing_status: 'in_progress',
    request_counts: { ...NO_COUNTS, processing: requests.length },
    created_at: isoTime(createdAt),
    expires_at: isoTime(createdAt + DAY_SECONDS),
    ended_at: null,
    archived_at: null,
    cancel_initiated_at: null,
    results_url: null,
  }));

  return jsonResponse(object);
}

function resultOf(request: SandboxRequest, { params }: JsonObject): JsonObject {
  const { status, body } = request.ask('/v1/messages', { ...objectOr(params, {}), stream: false });

  return status === 200 ? { type: 'succeeded', message: body } : { type: 'errored', error: body };
}

function listBatches(request: SandboxRequest): JsonResponse {
  const all = request.memory.objects.all(KIND).toReversed();

  return jsonResponse(
    messagesPageOf(
      all.map((stored) => settle(request, stored).object),
      request.query,
    ),
  );
}

function deleteBatch(request: SandboxRequest): JsonResponse {
  const { id } = ended(request);

  request.memory.objects.delete(KIND, id);
  return jsonResponse({ id, type: 'message_batch_deleted' });
}

/** Marks all requests of a batch as canceled. An ended batch stays unchanged. */
function cancelBatch(request: SandboxRequest): JsonResponse {
  const stored = kept(request);
  const lines = stored.bytes?.toString().split('\n').filter(Boolean) ?? [];

  if (stored.object.processing_status === 'ended') return jsonResponse(stored.object);

  const canceled = lines.map((line) => {
    const { custom_id: customId } = JSON.parse(line) as JsonObject;

    return `${JSON.stringify({ custom_id: customId, result: { type: 'canceled' } })}\n`;
  });
  const changed = { ...stored, bytes: Buffer.from(canceled.join('')) };
  const fields = { processing_status: 'canceling', cancel_initiated_at: stored.object.created_at };

  return jsonResponse(request.memory.objects.change(KIND, changed, fields).object);
}

function batchResults(request: SandboxRequest): SandboxResponse {
  return { kind: 'bytes', contentType: 'application/x-jsonl', bytes: ended(request).bytes ?? Buffer.alloc(0) };
}

function ended(request: SandboxRequest): StoredObject {
  return settle(request, kept(request));
}

function settle({ headers, memory }: SandboxRequest, stored: StoredObject): StoredObject {
  if (stored.object.processing_status === 'ended') return stored;

  const lines = stored.bytes?.toString().split('\n').filter(Boolean) ?? [];
  const count = (type: string): number => lines.filter((line) => line.includes(`"result":{"type":"${type}"`)).length;

  return memory.objects.change(KIND, stored, {
    processing_status: 'ended',
    ended_at: stored.object.created_at,
    results_url: `http://${headers.host ?? '127.0.0.1'}${PATH}/${stored.id}/results`,
    request_counts: {
      ...NO_COUNTS,
      succeeded: count('succeeded'),
      errored: count('errored'),
      canceled: count('canceled'),
    },
  });
}

function kept({ params, memory }: SandboxRequest): StoredObject {
  const id = params.batch ?? '';
  const stored = memory.objects.all(KIND).find((one) => one.id === id);

  if (stored === undefined) throw new VendorError(404, `Message batch ${id} not found.`);
  return stored;
}
