import { beforeAll, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describeApplication } from '../../support/application-description.js';
import { operationsOf, type Document, type Operation } from '../../support/openapi-document.js';

const JSON_TYPE = 'application/json';
const RELAYED = ['400', '404', '408', '409', '413', '422', '429', '529'];

let document: Document;
let operations: Map<string, Operation>;
beforeAll(async () => {
  ({ document } = await describeApplication({ GW_PROFILE: 'current' }));
  operations = operationsOf(document);
});

const accepts = (name: string, status: string, body: object): boolean => {
  const { schema } = operations.get(name)!.responses[status]!.content![JSON_TYPE]!;
  return new Ajv2020({ strict: false }).compile({ ...(schema as object), components: document.components })(body);
};

test.each([
  'POST /v1/chat/completions',
  'POST /v1/responses',
  'POST /v1/messages',
  'POST /v1/messages/count_tokens',
  'POST /v1/embeddings',
  'GET /v1/files/{file_id}',
])('%s documents every status of the provider that the gateway relays', (name) => {
  const statuses = Object.keys(operations.get(name)!.responses);
  expect(RELAYED.filter((status) => !statuses.includes(status))).toEqual([]);
  expect(accepts(name, '422', { error: { message: 'm', type: 't', param: null, code: null } })).toBe(true);
});

test("an operation documents the gateway's own error beside the relayed one", () => {
  const { description } = operations.get('GET /v1/files/{file_id}')!.responses['404']!;
  expect(description).toMatch(/`route_not_found`.*, the provider's error$/);
});

test('errors under /v1/messages can have the types of Anthropic', () => {
  const own = { message: 'm', code: 'upstream_error', param: null, request_id: 'r' };
  const body = (type: string) => ({ type: 'error', error: { ...own, type }, request_id: 'r' });
  expect(accepts('POST /v1/messages', '502', body('overloaded_error'))).toBe(true);
  expect(accepts('POST /v1/messages', '502', body('any_error'))).toBe(false);
});

test('routes that send no upstream request relay no error', () => {
  for (const name of ['GET /v1/models', 'GET /v1/usage'])
    expect(operations.get(name)!.responses['529']).toBeUndefined();
});

test('no error is relayed with GW_UPSTREAM_ERRORS=wrap', async () => {
  const wrapped = operationsOf((await describeApplication()).document).get('POST /v1/responses')!;
  expect(Object.keys(wrapped.responses)).not.toContain('529');
});
