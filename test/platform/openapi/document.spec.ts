import { beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ERROR_CODES, type ErrorCode } from '../../../src/platform/errors/error-code.data.js';
import type { DeclaredRoute } from '../../../src/platform/routes/declared-routes.js';
import { describeApplication } from '../../support/application-description.js';
import { bodyOf, operationsOf, type Document, type Operation } from '../../support/openapi-document.js';
import { lint } from './lint.js';

const ENVELOPE = { 'application/json': { schema: { $ref: '#/components/schemas/ErrorEnvelope' } } };

const STREAMED = [
  'POST /v1/audio/speech',
  'POST /v1/audio/transcriptions',
  'POST /v1/chat/completions',
  'POST /v1/completions',
  'POST /v1/images/edits',
  'POST /v1/images/generations',
  'POST /v1/messages',
  'POST /v1/responses',
  'POST /v1/threads/{thread_id}/runs',
];

const OF_CHAT = {
  400: [
    'bad_request',
    'invalid_content_type',
    'invalid_json',
    'invalid_type',
    'invalid_value',
    'missing_required_parameter',
    'model_endpoint_mismatch',
    'unsupported_value',
  ],
  401: ['api_key_expired', 'invalid_api_key', 'missing_api_key'],
  403: [
    'api_key_revoked',
    'api_key_suspended',
    'model_not_allowed',
    'model_not_available',
    'model_not_priced',
    'usage_not_metered',
  ],
  408: ['request_timeout'],
  413: ['request_too_large'],
  429: ['rate_limit_exceeded'],
  431: ['headers_too_large'],
  500: ['internal_error'],
  502: ['upstream_error'],
  503: ['capacity_exceeded', 'service_unavailable'],
};

let document: Document;
let operations: Map<string, Operation>;
let declared: Map<string, DeclaredRoute>;

beforeAll(async () => {
  const description = await describeApplication();
  document = description.document;
  operations = operationsOf(document);
  const routes = description.routes.filter(({ handler }) => !handler.startsWith('PageController.'));
  declared = new Map(routes.map((route) => [nameOf(route), route]));
});

/** Returns the name of a route in the document, from the declaration of its handler. */
function nameOf({ method, path, spec }: DeclaredRoute): string {
  const end = spec?.kind === 'admin' ? (spec.pathEnd ?? '') : '';
  const written = path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, `{model}${end}`);
  return `${method} ${spec?.kind === 'gateway' ? spec.endpoint : written}`;
}

test('the document is OpenAPI 3.1 without keywords of 3.0', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(JSON.stringify(document)).not.toContain('"nullable"');
});

test('a monthly count is documented as an integer or null', () => {
  expect(document.components.schemas['MonthUsage']).toMatchObject({
    properties: { used: { type: ['integer', 'null'] } },
  });
});

test('the document contains exactly the declared routes, except the dashboard page', () => {
  expect([...operations.keys()].sort()).toEqual([...declared.keys()].sort());
});

test('the linter finds no problem in the document, and finds a missing summary in a changed one', async () => {
  const [path, method] = ['/v1/usage', 'get'];
  const rest = { ...document.paths[path]![method]!, summary: undefined };
  const worse = { ...document, paths: { ...document.paths, [path]: { [method]: rest } } };
  expect(await lint(document, worse)).toEqual([[], ['operation-summary']]);
});

test('every schema is valid JSON Schema 2020-12', () => {
  const ajv = schemaJudge(document);
  for (const name of Object.keys(document.components.schemas)) {
    expect(typeof ajv.getSchema(`api#/components/schemas/${name}`)).toBe('function');
  }
});

test('every operation has a unique ID in camel case, one tag and a summary', () => {
  const ids = [...operations.values()].map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)*$/.test(id))).toEqual([]);
  expect([...operations.values()].filter(({ tags, summary }) => tags.length !== 1 || summary === '')).toEqual([]);
});

test('every operation documents its credentials', () => {
  for (const [name, { security }] of operations) {
    const { spec } = declared.get(name)!;
    const session = { session_cookie: [] };
    const own = {
      public: [],
      admin: [{ admin_key: [] }, session],
      dashboard: name === 'POST /dashboard/session' ? [] : [session],
      gateway: [{ api_key: [] }],
    }[spec!.kind];
    expect([name, security]).toEqual([name, name.includes('/v1/messages') ? [...own, { x_api_key: [] }] : own]);
  }
  expect(document.components.securitySchemes.session_cookie).toMatchObject({
    type: 'apiKey',
    in: 'cookie',
    name: 'gw_admin_session',
  });
});

test('operations that can make changes with a session document the CSRF token', () => {
  const asked = [...operations].filter(([, { parameters = [] }]) =>
    parameters.some(({ name }) => name === 'X-CSRF-Token'),
  );
  const expected = [...operations.keys()].filter(
    (name) => /^(?!GET )\w+ \/(admin|dashboard)\//.test(name) && name !== 'POST /dashboard/session',
  );
  expect(asked.map(([name]) => name)).toEqual(expected);
});

test('every operation under /v1 documents the content type of its body', () => {
  const json = 'application/json';
  const form = 'multipart/form-data';
  for (const [name, operation] of operations) {
    const { spec } = declared.get(name)!;
    const type = bodyOf(operation)?.type;
    if (spec?.kind !== 'gateway') continue;
    const expected = {
      none: [undefined],
      json: [json],
      multipart: [form],
      upload: [form],
      opaque: [json, undefined],
      either: [form],
      streamed: [form],
    };
    expect([name, expected[spec.body].includes(type as never)]).toEqual([name, true]);
  }
});

test('a body without required fields is optional', () => {
  const optional = [...operations].filter(([name, { requestBody }]) => {
    const declaration = declared.get(name)!.spec?.kind;
    return (declaration === 'admin' || declaration === 'dashboard') && requestBody?.required === false;
  });
  expect(optional.map(([name]) => name).sort()).toEqual([
    'PATCH /admin/api-keys/{id}',
    'PATCH /admin/limits/{id}',
    'PATCH /admin/operators/{id}',
    'PATCH /admin/teams/{id}',
    'PATCH /admin/webhooks/{id}',
    'POST /admin/api-keys/{id}/reset-quota',
    'POST /admin/lost-changes/apply',
    'POST /admin/lost-changes/discard',
    'POST /admin/prices/recompute',
  ]);
});

test.each([
  ['api-keys', { monthly_token_limit: 10_000_000 }],
  ['teams', { tags: ['production'] }],
  ['limits', { amount: '300.00' }],
  ['operators', { name: 'Ada Lovelace' }],
  ['webhooks', { enabled: true }],
])('the example for PATCH of %s changes one harmless field', (resource, change) => {
  const { requestBody } = operations.get(`PATCH /admin/${resource}/{id}`)!;
  const { examples } = requestBody!.content['application/json']!;
  expect(Object.values(examples!)).toEqual([{ value: change }]);
});

test('path parameters document the same bounds as the gateway checks', () => {
  const bounds = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.values(item).flatMap(({ parameters = [] }) =>
      parameters.filter((one) => one.in === 'path').map(({ name, schema }) => [path, name, schema] as const),
    ),
  );
  expect(bounds.length).toBeGreaterThan(30);
  for (const [path, name, schema] of bounds) {
    const pattern = { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,200}$' };
    const id = path.startsWith('/admin/') ? { type: 'string', format: 'uuid' } : pattern;
    const others: Record<string, object> = {
      model: { type: 'string', minLength: 1 },
      name: { type: 'string', pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' },
    };
    const ofLimit = path.startsWith('/admin/limits/') && { type: 'integer', minimum: 1 };
    expect([path, name, schema]).toEqual([path, name, ofLimit || (others[name] ?? id)]);
  }
});

test('every operation that can stream documents text/event-stream', () => {
  const streamed = [...operations].filter(([, { responses }]) => responses['200']?.content?.['text/event-stream']);
  expect(streamed.map(([name]) => name).sort()).toEqual(STREAMED);
});

describe('documented errors', () => {
  test('every error response has the envelope and names codes of its status', () => {
    for (const [name, { responses }] of operations) {
      for (const [status, { description, content }] of Object.entries(responses)) {
        if (status.startsWith('2') || name.includes('/health/ready')) continue;
        if (!name.startsWith('HEAD ')) expect([name, status, content]).toEqual([name, status, ENVELOPE]);
        const codes = codesIn(description);
        expect([name, codes.length > 0]).toEqual([name, true]);
        expect([name, codes.filter((code) => ERROR_CODES[code].status !== Number(status))]).toEqual([name, []]);
      }
    }
  });

  test('every error code is documented by an operation', () => {
    const answers = [...operations.values()].flatMap(({ responses }) => Object.values(responses));
    const named = new Set(answers.flatMap(({ description }) => codesIn(description)));
    // A WebSocket upgrade is rejected before its route is looked up.
    named.add('upgrade_required');
    expect((Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => !named.has(code))).toEqual([]);
  });

  test('every operation in the error table exists', () => {
    const sources = Object.values(ERROR_CODES).flatMap(({ returnedBy }) => returnedBy);
    const named = sources.filter((source) => source.includes(' '));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !operations.has(name))).toEqual([]);
  });

  test('every error code of a chat completion is documented', () => {
    const { responses } = operations.get('POST /v1/chat/completions')!;
    const named = Object.entries(responses).map(([status, { description }]) => [status, codesIn(description).sort()]);
    expect(Object.fromEntries(named)).toMatchObject(OF_CHAT);
  });

  test.each([
    ['GET /v1/usage', 'no quota, no upstream', ['429', '502'], []],
    ['POST /v1/chat/completions', 'all stages', [], ['400', '401', '403', '413', '429', '500', '502', '503']],
    ['GET /v1/files/{file_id}', 'an unknown ID', ['413'], ['404', '429', '502']],
    ['GET /v1/models/{model}', 'an unknown or forbidden model', ['413'], ['403', '404', '502']],
    ['GET /admin/api-keys/{id}', 'an unknown key', ['403', '413'], ['400', '401', '404', '429', '503']],
    ['PATCH /admin/api-keys/{id}', 'an insufficient role', [], ['400', '401', '403', '404', '413', '429', '503']],
    ['GET /admin/operators', 'an insufficient role', ['404', '413'], ['401', '403', '429']],
    ['POST /dashboard/session', 'no session yet', ['404', '502'], ['400', '401', '403', '413', '429', '503']],
    ['GET /dashboard/session', 'a read without changes', ['403', '404', '413'], ['401', '429', '503']],
  ])('%s documents its possible statuses and no impossible ones (%s)', (name, _why, never, may) => {
    const statuses = Object.keys(operations.get(name)!.responses);
    expect(never.filter((status) => statuses.includes(status))).toEqual([]);
    expect(may.filter((status) => !statuses.includes(status))).toEqual([]);
  });
});

const codesIn = (description: string): ErrorCode[] =>
  [...description.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code as ErrorCode);

function schemaJudge({ components }: Document): Ajv2020 {
  const ajv = new Ajv2020({ strictSchema: false, validateFormats: false });
  ajv.addSchema({ $id: 'api', components: { schemas: components.schemas } });
  return ajv;
}
