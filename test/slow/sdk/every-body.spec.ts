import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestGateway, type Key } from '../../support/gateway.js';
import { startUpstream } from '../../support/scripted-upstream.js';
import { Variants, type Variant } from '../../support/sdk-bodies.js';
import { sdkBody, type Sdk } from '../../support/sdk-types.js';

/** Number of concurrent requests. */
const CONCURRENCY = 8;
const MS_MAX = 60_000;
/** Every source must yield more bodies than this, including speech, which has the smallest type. */
const BODIES_MIN = 15;

interface BodySource {
  readonly sdk: Sdk;
  readonly method: string;
  readonly path: string;
  /** Depth to which the fields of nested objects vary. Deeper objects have only their required fields. */
  readonly depth: number;
  readonly model: string;
  readonly form?: boolean;
}

const SOURCES: readonly BodySource[] = [
  { sdk: 'openai', method: 'chat.completions.create', path: '/v1/chat/completions', depth: 6, model: 'gpt-4o' },
  { sdk: 'openai', method: 'responses.create', path: '/v1/responses', depth: 6, model: 'gpt-4o' },
  { sdk: 'anthropic', method: 'messages.create', path: '/v1/messages', depth: 3, model: 'claude-opus-4-8' },
  { sdk: 'anthropic', method: 'beta.messages.create', path: '/v1/messages', depth: 2, model: 'claude-opus-4-8' },
  { sdk: 'openai', method: 'embeddings.create', path: '/v1/embeddings', depth: 6, model: 'text-embedding-3-small' },
  { sdk: 'openai', method: 'completions.create', path: '/v1/completions', depth: 6, model: 'davinci-002' },
  { sdk: 'openai', method: 'images.generate', path: '/v1/images/generations', depth: 6, model: 'gpt-image-1' },
  { sdk: 'openai', method: 'audio.speech.create', path: '/v1/audio/speech', depth: 6, model: 'tts-1' },
  { sdk: 'openai', method: 'images.edit', path: '/v1/images/edits', depth: 6, model: 'gpt-image-1', form: true },
  {
    sdk: 'openai',
    method: 'audio.transcriptions.create',
    path: '/v1/audio/transcriptions',
    depth: 6,
    model: 'whisper-1',
    form: true,
  },
  { sdk: 'openai', method: 'files.create', path: '/v1/files', depth: 6, model: 'gpt-4o', form: true },
];

let gateway: TestGateway;
let key: Key;

beforeAll(async () => {
  const upstream = await startUpstream();
  upstream.on('GET', '/v1/models', (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ object: 'list', data: [...modelsOf(SOURCES)].map(catalogEntry) }));
  });
  gateway = await TestGateway.start({ GW_PROFILE: 'current' }, { upstream });
  for (const { path } of SOURCES)
    gateway.upstream.on('POST', path, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"id":"1","usage":{"input_tokens":1,"output_tokens":1}}');
    });
  key = await gateway.createKey();
});
afterAll(async () => {
  await gateway?.stop();
  await gateway?.upstream.stop();
});

describe.each(SOURCES)('$sdk $method', (source) => {
  test(
    'the gateway accepts every body that the SDK’s type allows',
    async () => {
      const bodies = bodiesOf(source);
      const refused: string[] = [];
      let sent = 0;
      const next = async () => {
        for (let body = bodies.next(); body.done !== true; body = bodies.next(), sent++)
          refused.push(...(await refusalOf(source, body.value)));
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, next));
      expect(refused).toEqual([]);
      expect(sent).toBeGreaterThan(BODIES_MIN);
    },
    MS_MAX,
  );
});

/** Returns every model that the bodies name, for the provider's model list. */
function modelsOf(sources: readonly BodySource[]): Set<string> {
  const models = new Set(sources.map(({ model }) => model));
  for (const source of sources)
    for (const { at } of bodiesOf(source)) {
      const model = /\bmodels?(?:\[\])?="([^"]+)"$/.exec(at)?.[1];
      if (model !== undefined) models.add(model);
    }
  return models;
}

function catalogEntry(id: string): object {
  return { id, object: 'model', created: 1_790_000_000, owned_by: id.startsWith('claude') ? 'anthropic' : 'openai' };
}

/** Yields the bodies of a source. Required `model` fields contain the source's model, which the model gate accepts. */
function* bodiesOf({ sdk, method, depth, model, form }: BodySource): Generator<Variant> {
  const text = (field: string) =>
    field === 'model' ? model : field.endsWith('url') ? 'https://example.com/a' : 'text';
  const file = () => (form === true ? new File(['bytes'], 'a.png', { type: 'image/png' }) : 'file');
  yield* new Variants({ depth, text, file }).of(sdkBody(sdk, method));
}

async function refusalOf({ sdk, path, form }: BodySource, { at, value }: Variant): Promise<string[]> {
  const { status, text } = await gateway.call('POST', path, {
    key,
    headers: sdk === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {},
    ...(form === true ? { form: formOf(value) } : { body: value }),
  });
  return status === 200 ? [] : [`${at}: ${status} ${text.slice(0, 300)}`];
}

/** Encodes a form as the SDKs do: `name[]` for array items, `name[field]` for object fields. */
function formOf(value: unknown): FormData {
  const form = new FormData();
  const append = (name: string, part: unknown): void => {
    if (part === undefined || part === null) return;
    if (part instanceof File) form.append(name, part);
    else if (Array.isArray(part)) for (const item of part) append(`${name}[]`, item);
    else if (typeof part === 'object')
      for (const [field, inner] of Object.entries(part)) append(`${name}[${field}]`, inner);
    else form.append(name, JSON.stringify(part).replace(/^"|"$/g, ''));
  };
  for (const [name, part] of Object.entries(value as object)) append(name, part);
  return form;
}
