import { keptObject, type ObjectFamily, objectRoutes, statusRoute } from '../memory/object-routes.js';
import { pageOf } from '../memory/page.js';
import { jsonResponse } from '../wire/response.js';
import type { SandboxRoute } from '../wire/exchange.js';
import { arrayOr, objectOr, optionalString } from '../wire/fields.js';
import { isJsonObject, type JsonObject } from '../wire/json-object.js';
import { missingParameter, objectNotFound } from '../wire/vendor-error.js';

const NO_RESULTS = { total: 0, errored: 0, failed: 0, passed: 0 };

const EVALS: ObjectFamily = {
  kind: 'eval',
  path: '/v1/evals',
  children: ['evalRun'],
  make: ({ fields }) => ({
    object: 'eval',
    name: optionalString(fields, 'name') ?? '',
    data_source_config: sourceConfig(fields),
    testing_criteria: arrayOr(fields.testing_criteria),
    metadata: objectOr(fields.metadata, {}),
  }),
  changes: ['name', 'metadata'],
  deleted: (id) => ({ object: 'eval.deleted', deleted: true, eval_id: id }),
};

/** A run is completed when it is first read. It evaluates nothing, so it has no output items. */
const RUNS: ObjectFamily = {
  kind: 'evalRun',
  path: '/v1/evals/{parent}/runs',
  parent: 'eval',
  make: ({ fields, params }) => ({
    object: 'eval.run',
    eval_id: params.parent,
    name: optionalString(fields, 'name') ?? '',
    model: objectOr(fields.data_source, {}).model ?? 'gpt-4.1',
    status: 'queued',
    data_source: objectOr(fields.data_source, {}),
    error: null,
    report_url: '',
    result_counts: NO_RESULTS,
    per_model_usage: [],
    per_testing_criteria_results: [],
    metadata: objectOr(fields.metadata, {}),
  }),
  settle: ({ status }) => (status === 'queued' ? { status: 'completed' } : {}),
  deleted: (id) => ({ object: 'eval.run.deleted', deleted: true, run_id: id }),
};

export const EVALS_ROUTES: readonly SandboxRoute[] = [
  ...objectRoutes(EVALS),
  ...objectRoutes(RUNS),
  // Older SDKs use the path without `/cancel`.
  ...['', '/cancel'].map((action) => statusRoute(RUNS, action, ['queued'], () => ({ status: 'canceled' }))),
  {
    method: 'GET',
    path: `${RUNS.path}/{id}/output_items`,
    handle: (request) => {
      keptObject(RUNS, request);
      return jsonResponse(pageOf([], request.query));
    },
  },
  {
    method: 'GET',
    path: `${RUNS.path}/{id}/output_items/{item}`,
    handle: (request) => {
      keptObject(RUNS, request);
      throw objectNotFound('output item', request.params.item ?? '');
    },
  },
];

function sourceConfig({ data_source_config: config }: JsonObject): JsonObject {
  if (!isJsonObject(config)) throw missingParameter('data_source_config');

  const { item_schema: schema, ...rest } = config;

  return { ...rest, schema: { type: 'object', properties: { item: objectOr(schema, {}) }, required: ['item'] } };
}
