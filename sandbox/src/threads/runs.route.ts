import { keptAssistant } from '../assistants/assistants.route.js';
import { pageOf } from '../memory/page.js';
import type { SandboxMemory } from '../memory/sandbox-memory.js';
import { requireModel } from '../models/require-model.js';
import { jsonResponse, type JsonResponse, type SandboxResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { arrayOr, objectOr, requiredString } from '../wire/fields.js';
import { type JsonObject, parseJsonObject } from '../wire/json-object.js';
import { objectNotFound, VendorError } from '../wire/vendor-error.js';
import { newRun, type Run, runObject, runSteps } from './run.js';
import { runEvents } from './run-events.js';
import { keepRun, settleRun } from './settle-run.js';
import { readMessage } from './thread-message.js';
import type { Thread } from './thread.js';
import { addMessage, keptThread, newThread } from './threads.route.js';

export const RUNS_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: '/v1/threads/runs', handle: createThreadAndRun },
  { method: 'GET', path: '/v1/threads/{thread}/runs', handle: listRuns },
  { method: 'POST', path: '/v1/threads/{thread}/runs', handle: createRun },
  { method: 'GET', path: '/v1/threads/{thread}/runs/{run}', handle: retrieveRun },
  { method: 'POST', path: '/v1/threads/{thread}/runs/{run}', handle: modifyRun },
  { method: 'POST', path: '/v1/threads/{thread}/runs/{run}/cancel', handle: cancelRun },
  { method: 'POST', path: '/v1/threads/{thread}/runs/{run}/submit_tool_outputs', handle: submitToolOutputs },
  { method: 'GET', path: '/v1/threads/{thread}/runs/{run}/steps', handle: listRunSteps },
  { method: 'GET', path: '/v1/threads/{thread}/runs/{run}/steps/{step}', handle: retrieveRunStep },
];

const ENTRY_BYTES = 1_000;

/** A run waits until it is first read. A streamed run completes immediately. */
function createRun({ params, body, memory }: SandboxRequest): SandboxResponse {
  return startRun(memory, keptThread(memory, params.thread ?? ''), parseJsonObject(body));
}

function createThreadAndRun({ body, memory }: SandboxRequest): SandboxResponse {
  const asked = parseJsonObject(body);

  keptAssistant(memory, requiredString(asked, 'assistant_id'));
  return startRun(memory, newThread(memory, objectOr(asked.thread, {})), asked);
}

function startRun(memory: SandboxMemory, thread: Thread, asked: JsonObject): SandboxResponse {
  const assistant = keptAssistant(memory, requiredString(asked, 'assistant_id'));
  const drafts = arrayOr(asked.additional_messages).map((message, index) =>
    readMessage(message, `additional_messages[${index}].`),
  );

  if (typeof asked.model === 'string') requireModel(asked.model, 'v1/threads/runs', ['chat']);

  const run = memory.runs.create(JSON.stringify(asked).length + ENTRY_BYTES, (id, createdAt) =>
    newRun({ id, createdAt, threadId: thread.id }, assistant, asked),
  );

  for (const draft of drafts) addMessage(memory, thread.id, draft);
  if (asked.stream !== true) return jsonResponse(runObject(run));

  const settled = settleRun(memory, run);
  const message = memory.threadMessages.get(settled.messageId ?? '');

  if (message === undefined) throw objectNotFound('message', settled.messageId ?? '');
  return { kind: 'events', frames: runEvents(settled, message) };
}

function listRuns({ params, query, memory }: SandboxRequest): JsonResponse {
  const { id } = keptThread(memory, params.thread ?? '');
  const runs = memory.runs.all().filter((run) => run.threadId === id);
  const page = pageOf(runs, query);
  const settled = page.data.map((run) => runObject(settleRun(memory, run)));

  return jsonResponse({ ...page, data: settled });
}

function retrieveRun(request: SandboxRequest): JsonResponse {
  return jsonResponse(runObject(settleRun(request.memory, keptRun(request))));
}

function cancelRun(request: SandboxRequest): JsonResponse {
  const run = keptRun(request);

  if (run.status !== 'queued') throw new VendorError(400, `Cannot cancel run with status '${run.status}'.`);
  return jsonResponse(runObject(keepRun(request.memory, { ...run, status: 'cancelled' })));
}

function modifyRun(request: SandboxRequest): JsonResponse {
  const run = keptRun(request);
  const settings = { ...run.settings, metadata: objectOr(parseJsonObject(request.body).metadata, {}) };

  return jsonResponse(runObject(keepRun(request.memory, { ...run, settings })));
}

/** Sandbox runs call no tools, so no run waits for outputs. */
function submitToolOutputs(request: SandboxRequest): JsonResponse {
  const { status } = keptRun(request);

  throw new VendorError(400, `Runs in status "${status}" do not accept tool outputs.`);
}

function retrieveRunStep(request: SandboxRequest): JsonResponse {
  const id = request.params.step ?? '';
  const step = runSteps(settleRun(request.memory, keptRun(request))).find((one) => one.id === id);

  if (step === undefined) throw objectNotFound('run step', id);
  return jsonResponse(step);
}

function listRunSteps(request: SandboxRequest): JsonResponse {
  const run = settleRun(request.memory, keptRun(request));

  return jsonResponse(pageOf(runSteps(run), request.query));
}

function keptRun({ params, memory }: SandboxRequest): Run {
  const { id } = keptThread(memory, params.thread ?? '');
  const run = memory.runs.get(params.run ?? '');

  if (run?.threadId !== id) throw objectNotFound('run', params.run ?? '');
  return run;
}
