import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { BOUNDARY, file, formOf, text } from '../../../support/multipart-forms.js';
import { enabledRoutes } from '../../../support/enabled-routes.js';
import { TestGateway, type Key } from '../../../support/gateway.js';
import {
  documentOf,
  operationsOf,
  type Document,
  type Operation,
  type Schema,
} from '../../../support/openapi-document.js';
import { lint } from '../../../platform/openapi/lint.js';
import { valuesOf } from '../../../support/schema-bodies.js';

const EVERYTHING = { GW_ROUTES: 'all', GW_UNBILLED_ROUTES: 'batches,fine_tuning' };
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'multipart/form-data';
/** Routes whose bodies the gateway validates. `bodies.spec.ts` compares them with their schemas. */
const VALIDATED =
  /^POST \/v1\/(chat\/completions|completions|messages|responses|embeddings|audio\/(speech|transcriptions)|images\/(generations|edits))$/;

let gateway: TestGateway;
let billed: Document;
let document: Document;
let operations: Map<string, Operation>;
let key: Key;
beforeAll(async () => {
  gateway = await TestGateway.start(EVERYTHING);
  document = await documentOf(gateway);
  operations = operationsOf(document);
  key = await gateway.createKey();
  const other = await TestGateway.start({ GW_ROUTES: 'all' }, { upstream: gateway.upstream });
  billed = await documentOf(other);
  await other.stop();
});
afterAll(() => gateway.stop());

const forwarded = () =>
  [...operations].filter(
    ([name, { requestBody }]) => name.includes(' /v1/') && requestBody !== undefined && !VALIDATED.test(name),
  );

test('the document contains exactly the enabled routes under /v1', () => {
  const declared = enabledRoutes(gateway.app).flatMap(({ method, spec }) =>
    spec?.kind === 'gateway' ? [`${method} ${spec.endpoint}`] : [],
  );
  expect([...operations.keys()].filter((name) => name.includes(' /v1/')).sort()).toEqual(declared.sort());
});

test('disabled routes, and schemas that only they use, are not in the document', () => {
  const paths = Object.keys(billed.paths);
  expect(paths.filter((path) => /batches$|fine_tuning/.test(path))).toEqual([
    '/v1/vector_stores/{vector_store_id}/file_batches',
  ]);
  expect(Object.keys(document.components.schemas)).toContain('BatchCreation');
  expect(Object.keys(billed.components.schemas)).not.toContain('BatchCreation');
});

test('the linter finds only the provider’s ambiguous paths', async () => {
  // `/v1/videos/characters/{character_id}`, and `content` and `remix` under `/v1/videos/{video_id}`.
  expect(await lint(document)).toEqual([['no-ambiguous-paths', 'no-ambiguous-paths']]);
});

test('every operation has a unique ID in camel case, one tag and a summary', () => {
  const ids = [...operations.values()].map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)*$/.test(id))).toEqual([]);
  expect([...operations.values()].filter(({ tags, summary }) => tags.length !== 1 || summary === '')).toEqual([]);
});

describe('forwarded bodies', () => {
  function provideAll(): void {
    gateway.upstream.reset();
    gateway.upstream.on('GET', '/v1/files/file-1/content', (_request, response) => void response.end());
    for (const name of operations.keys()) {
      const [method, path] = withIds(name);
      gateway.upstream.on(method, path, (_request, response) => {
        response.writeHead(200, { 'content-type': JSON_TYPE }).end('{}');
      });
    }
  }
  const withIds = (name: string) => name.replace(/\{\w+\}/g, 'x').split(' ') as [string, string];

  async function send(name: string, type: string | undefined, body: unknown) {
    const [method, path] = withIds(name);
    return gateway.call(method, path, { key, body, ...(type !== undefined && { headers: { 'content-type': type } }) });
  }

  test('documented bodies are accepted in every content type', async () => {
    provideAll();
    expect(forwarded().length).toBeGreaterThan(40);
    for (const [name, { requestBody }] of forwarded()) {
      for (const [type, { schema }] of Object.entries(requestBody!.content)) {
        for (const body of samples(schema, name)) {
          const { status, text: response } = await send(
            name,
            type === FORM_TYPE ? `${type}; boundary=${BOUNDARY}` : type,
            type === FORM_TYPE ? asForm(body) : JSON.stringify(body),
          );
          expect([name, type, body, status, response]).toEqual([name, type, body, 200, '{}']);
        }
      }
    }
  });

  test('a body can be omitted only if the document marks it as optional', async () => {
    provideAll();
    for (const [name, { requestBody }] of forwarded()) {
      const { status } = await send(name, undefined, undefined);
      expect([name, status]).toEqual([name, requestBody!.required === true ? 400 : 200]);
    }
  });

  test('the document allows a vector store whose name is null', () => {
    const judge = new Ajv2020({ strictSchema: false }).compile(document.components.schemas['VectorStoreChange']!);
    expect(judge({ name: null })).toBe(true);
  });

  /** Returns bodies of a schema, with a model that passes the model gate. */
  function samples({ $ref }: Schema, name: string): Record<string, unknown>[] {
    const schema = document.components.schemas[String($ref).split('/').at(-1)!]!;
    const bodies = fc.sample(valuesOf(schema) as fc.Arbitrary<Record<string, unknown>>, { numRuns: 4, seed: 7 });
    return bodies.map(({ model, session, ...rest }) => ({
      ...rest,
      ...(typeof model === 'string' && { model: modelFor(name) }),
      ...(session !== undefined && { session: { model: 'gpt-4o' } }),
      ...(name === 'POST /v1/batches' && { input_file_id: 'file-1' }),
    }));
  }
});

function modelFor(name: string): string {
  if (name.includes('/v1/messages/')) return 'claude-3-haiku-20240307';
  if (name.includes('/audio/')) return 'whisper-1';
  return name.includes('/images/') ? 'dall-e-2' : 'gpt-4o';
}

const asForm = (body: Record<string, unknown>): Buffer =>
  formOf(
    Object.entries(body).map(([name, value]) =>
      name === 'file' ? file(name) : text(name, typeof value === 'string' ? value : JSON.stringify(value)),
    ),
  );
