import { keptObject, type ObjectFamily, objectRoutes, settled, statusRoute } from '../memory/object-routes.js';
import { pageOf } from '../memory/page.js';
import { requireModel } from '../models/require-model.js';
import { jsonResponse, type JsonResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { arrayOr, objectOr, optionalString, requiredString } from '../wire/fields.js';
import { isJsonObject, type JsonObject, parseJsonObject } from '../wire/json-object.js';
import { missingParameter, objectNotFound } from '../wire/vendor-error.js';

const HYPERPARAMETERS = { n_epochs: 'auto', batch_size: 'auto', learning_rate_multiplier: 'auto' };
const GRADER_ERRORS = { formula_parse_error: false, invalid_variable_error: false, other_error: false };
const PERMISSIONS = '/v1/fine_tuning/checkpoints/{checkpoint}/permissions';

/** A job succeeds when it is first read. It trains nothing: the new model behaves like its base model. */
const JOBS: ObjectFamily = {
  kind: 'tuningJob',
  path: '/v1/fine_tuning/jobs',
  make: ({ fields }) => newJob(fields),
  settle: ({ status, model, id, created_at: createdAt, suffix }) =>
    status === 'queued'
      ? {
          status: 'succeeded',
          fine_tuned_model: `ft:${String(model)}:sandbox:${typeof suffix === 'string' ? suffix : ''}:${String(id).slice(-8)}`,
          finished_at: createdAt,
          trained_tokens: 0,
        }
      : {},
};

export const FINE_TUNING_ROUTES: readonly SandboxRoute[] = [
  ...objectRoutes(JOBS),
  statusRoute(JOBS, '/cancel', ['queued', 'paused'], () => ({ status: 'cancelled' })),
  statusRoute(JOBS, '/pause', ['queued'], () => ({ status: 'paused' })),
  statusRoute(JOBS, '/resume', ['paused'], () => ({ status: 'queued' })),
  { method: 'GET', path: `${JOBS.path}/{id}/events`, handle: listEvents },
  { method: 'GET', path: `${JOBS.path}/{id}/checkpoints`, handle: listCheckpoints },
  { method: 'POST', path: PERMISSIONS, handle: createPermissions },
  { method: 'GET', path: PERMISSIONS, handle: listPermissions },
  { method: 'DELETE', path: `${PERMISSIONS}/{id}`, handle: deletePermission },
  {
    method: 'POST',
    path: '/v1/fine_tuning/alpha/graders/validate',
    handle: (request) => jsonResponse({ grader: graderOf(request) }),
  },
  { method: 'POST', path: '/v1/fine_tuning/alpha/graders/run', handle: runGrader },
];

function newJob(fields: JsonObject): JsonObject {
  const model = requiredString(fields, 'model');

  requireModel(model, 'v1/fine_tuning/jobs', ['chat', 'base']);
  return {
    object: 'fine_tuning.job',
    model,
    training_file: requiredString(fields, 'training_file'),
    validation_file: optionalString(fields, 'validation_file'),
    status: 'queued',
    suffix: optionalString(fields, 'suffix'),
    fine_tuned_model: null,
    finished_at: null,
    estimated_finish: null,
    hyperparameters: { ...HYPERPARAMETERS, ...objectOr(fields.hyperparameters, {}) },
    method: objectOr(fields.method, { type: 'supervised' }),
    integrations: arrayOr(fields.integrations),
    organization_id: 'org-sandbox',
    result_files: [],
    seed: fields.seed ?? 0,
    trained_tokens: null,
    error: null,
    metadata: objectOr(fields.metadata, {}),
  };
}

function listEvents(request: SandboxRequest): JsonResponse {
  const { id, object } = settled(JOBS, request);
  const event = {
    id: id.replace('ftjob-', 'ftevent-'),
    object: 'fine_tuning.job.event',
    created_at: object.created_at,
    level: 'info',
    message: `Job status: ${String(object.status)}`,
    type: 'message',
    data: {},
  };

  return jsonResponse(pageOf([event], request.query));
}

function listCheckpoints(request: SandboxRequest): JsonResponse {
  keptObject(JOBS, request);
  return jsonResponse(pageOf([], request.query));
}

function createPermissions({ params, body, memory }: SandboxRequest): JsonResponse {
  const parent = params.checkpoint ?? '';
  const data = arrayOr(parseJsonObject(body).project_ids).map(
    (project) =>
      memory.objects.create({ kind: 'permission', parent }, (_id, createdAt) => ({
        object: 'checkpoint.permission',
        created_at: createdAt,
        project_id: project,
      })).object,
  );

  return jsonResponse({ object: 'list', data, has_more: false });
}

function listPermissions({ params, query, memory }: SandboxRequest): JsonResponse {
  const all = memory.objects.all('permission', params.checkpoint ?? '').map(({ object }) => object);
  // This list has its own values of `order`.
  const order = query.get('order') === 'ascending' ? 'asc' : 'desc';

  return jsonResponse(pageOf(all, new URLSearchParams({ ...Object.fromEntries(query), order })));
}

function deletePermission({ params, memory }: SandboxRequest): JsonResponse {
  const id = params.id ?? '';
  const stored = memory.objects.all('permission', params.checkpoint ?? '').find((one) => one.id === id);

  if (stored === undefined) throw objectNotFound('permission', id);
  memory.objects.delete('permission', id);
  return jsonResponse({ id, object: 'checkpoint.permission', deleted: true });
}

function graderOf({ body }: SandboxRequest): JsonObject {
  const { grader } = parseJsonObject(body);

  if (!isJsonObject(grader)) throw missingParameter('grader');
  return grader;
}

function runGrader(request: SandboxRequest): JsonResponse {
  const { name = '', type = '' } = graderOf(request);

  return jsonResponse({
    reward: 1,
    sub_rewards: {},
    model_grader_token_usage_per_model: {},
    metadata: {
      name,
      type,
      errors: GRADER_ERRORS,
      execution_time: 0,
      scores: {},
      sampled_model_name: null,
      token_usage: null,
    },
  });
}
