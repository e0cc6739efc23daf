import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Reply } from '../../../sandbox/src/scripted/reply.js';
import { ScriptedProvider } from '../../../sandbox/src/scripted/scripted-provider.js';
import { until } from '../../support/until.js';
import { EXCLUDED } from '../../support/excluded-routes.data.js';
import { keepOrder } from '../../support/describe-in-order.js';
import { TestGateway, type Key } from '../../support/gateway.js';
import { Variants } from '../../support/sdk-bodies.js';
import { sdkMethods, type Sdk, type SdkMethod, type Shape } from '../../support/sdk-types.js';

/** The token counts in every usage report of the mock. */
const INPUT = 7;
const OUTPUT = 3;

/** Methods that call other methods of the SDK or send no request. */
const HELPER =
  /(?:AndPoll|Poll|Stream|\.poll|\.stream|\.parse|\.runTools|\.toolRunner|\.waitForProcessing|vectorStores\.files\.upload|environments\.files\.upload|\.prepare|\.forResult|\.unwrap|\.verifySignature)$/;
/** Input and output tokens of metered methods. All other methods use none. */
const METERED: Readonly<Record<string, readonly [number, number]>> = {
  ...Object.fromEntries(
    [
      'chat.completions.create',
      'completions.create',
      'decisions.create',
      'responses.create',
      'responses.compact',
      'beta.responses.create',
      'beta.responses.compact',
      'images.generate',
      'images.edit',
      'images.createVariation',
      'audio.transcriptions.create',
      'messages.create',
      'beta.messages.create',
      'beta.threads.createAndRun',
      // The outputs of tools belong to the request that created the run, so they are not counted separately.
      'beta.threads.runs.create',
      'batches.create',
    ].map((name) => [name, [INPUT, OUTPUT]]),
  ),
  'embeddings.create': [INPUT, 0],
};

/** A suitable model by the prefix of the method's name. */
const MODELS: Readonly<Record<string, string>> = {
  embeddings: 'text-embedding-3-small',
  images: 'gpt-image-1',
  'images.createVariation': 'dall-e-2',
  'audio.speech': 'tts-1',
  'audio.transcriptions': 'gpt-4o-transcribe',
  'audio.translations': 'whisper-1',
  completions: 'davinci-002',
  moderations: 'omni-moderation-latest',
  videos: 'sora-2',
  realtime: 'gpt-realtime',
  messages: 'claude-opus-4-8',
  'beta.messages': 'claude-opus-4-8',
};
const modelOf = (name: string) =>
  Object.entries(MODELS).findLast(([prefix]) => name.startsWith(`${prefix}.`) || name === prefix)?.[1] ?? 'gpt-4o';

interface Sent {
  readonly method: string;
  readonly path: string;
}

/** A provider that returns the smallest value of the method's response type for each request. */
class VendorMock {
  response: unknown;
  private provider!: ScriptedProvider;

  static async start(): Promise<VendorMock> {
    const mock = new VendorMock();
    mock.provider = await ScriptedProvider.start({ script: (request) => mock.replyTo(request.route.split(' ')[1]!) });
    return mock;
  }

  get url(): string {
    return this.provider.url;
  }

  get sent(): readonly Sent[] {
    return this.provider.requests.map(({ method, path }) => ({ method, path: path.split('?')[0]! }));
  }

  private replyTo(path: string): Reply {
    // `batches.results` reads the batch first.
    const fixed = path === '/v1/models' ? CATALOG : /^\/v1\/messages\/batches(?:\/text)?$/.test(path) ? BATCH : null;
    const isFile = fixed === null && (this.response instanceof Buffer || path.endsWith('/content'));
    return {
      headers: { 'content-type': isFile ? 'application/octet-stream' : 'application/json' },
      body: fixed ?? (isFile ? BATCH_LINE : JSON.stringify(this.response)),
    };
  }

  reset(): void {
    this.provider.reset();
  }

  stop(): Promise<void> {
    return this.provider.stop();
  }
}

const BATCH = JSON.stringify({
  id: 'text',
  data: [],
  has_more: false,
  results_url: 'https://provider.example/v1/messages/batches/text/results',
});
const CATALOG = JSON.stringify({
  object: 'list',
  data: [...new Set([...Object.values(MODELS), 'gpt-4o'])].map((id) => ({
    id,
    object: 'model',
    created: 1_790_000_000,
    owned_by: id.startsWith('claude') ? 'anthropic' : 'openai',
  })),
});

const isRun = ({ name, response }: SdkMethod) => response !== undefined && !HELPER.test(name);

/** An entry with a method excludes one route. Other entries exclude everything below their path. */
function isExcluded({ method, path }: Sent): boolean {
  return Object.keys(EXCLUDED).some((entry) => {
    const [verb, route] = entry.split(' ');
    if (route === undefined) return path === entry || path.startsWith(`${entry}/`);
    return verb === method && new RegExp(`^${route.replaceAll('{}', '[^/]+')}$`).test(path);
  });
}

describe.each(['openai', 'anthropic'] as const)('every method of the SDK of %s', (sdk: Sdk) => {
  // The last test reads the usage that the earlier tests recorded.
  keepOrder();
  let mock: VendorMock;
  let gateway: TestGateway;
  const keys = new Map<string, Key>();
  /** Requests as the SDK sent them, before the gateway. */
  const asked: Sent[] = [];

  beforeAll(async () => {
    mock = await VendorMock.start();
    gateway = await TestGateway.start({
      GW_PROFILE: 'current',
      GW_UNBILLED_ROUTES: 'batches,fine_tuning',
      GW_UPSTREAM_BASE_URL: mock.url,
    });
    for (const { name } of sdkMethods(sdk).filter(isRun)) keys.set(name, await gateway.createKey());
  });
  afterAll(async () => {
    await gateway?.stop();
    await mock?.stop();
  });

  function clientFor({ name }: SdkMethod): object {
    const { key: apiKey } = keys.get(name)!;
    const fetchAndRecord: typeof fetch = (input, init) => {
      const { protocol, pathname } = new URL(input as string);
      // The SDK fetches `data:,` to detect the features of `fetch`.
      if (protocol !== 'data:') asked.push({ method: init?.method ?? 'GET', path: pathname });
      return fetch(input, init);
    };
    const options = { apiKey, adminAPIKey: apiKey, maxRetries: 0, fetch: fetchAndRecord };
    return sdk === 'openai'
      ? new OpenAI({ ...options, baseURL: `${gateway.url}/v1` })
      : new Anthropic({ ...options, authToken: null, baseURL: gateway.url });
  }

  function call(method: SdkMethod): Promise<unknown> {
    const values = variantsFor(method);
    const required = method.parameters.filter(({ optional }) => !optional);
    const args = required.map(({ shape, name }) => values.smallest(shape, name));
    const path = method.name.split('.');
    const resource = path
      .slice(0, -1)
      .reduce((at, part) => (at as Record<string, object>)[part]!, clientFor(method)) as Record<string, Call>;
    return resource[path.at(-1)!]!(...args);
  }

  test.each(sdkMethods(sdk).filter(isRun))(
    '$name succeeds, or returns a 404 if its route is excluded',
    async (method) => {
      asked.length = 0;
      mock.reset();
      mock.response = responseOf(method);
      const failure = await call(method).then(
        () => undefined,
        (error: Error) => error,
      );
      // If no request was sent, the assertion shows the SDK's error.
      expect(asked.length > 0 || failure).toBe(true);
      if (isExcluded(asked[0]!)) {
        expect(failure).toMatchObject({ status: 404 });
        expect(mock.sent).toEqual([]);
      } else {
        expect({ about: JSON.stringify(asked), value: failure }).toEqual({
          about: JSON.stringify(asked),
          value: undefined,
        });
        if (!asked[0]!.path.startsWith('/v1/models')) expect(mock.sent).toContainEqual(asked[0]);
      }
    },
  );

  test('the recorded usage of every method equals the tokens that the provider reports', async () => {
    const wrong: Record<string, Usage['totals']> = {};
    for (const [name, { id }] of keys) {
      const read = async () => (await gateway.admin<Usage>('GET', `/admin/usage?key_id=${id}`)).body.totals;
      const [input, output] = METERED[name] ?? [0, 0];
      const isRight = async () => {
        wrong[name] = await read();
        return wrong[name].input_tokens === input && wrong[name].output_tokens === output;
      };
      await until(isRight, 30_000).then(
        () => delete wrong[name],
        () => undefined,
      );
    }
    expect(wrong).toEqual({});
  });
});

type Call = (...args: readonly unknown[]) => Promise<unknown>;
interface Usage {
  readonly totals: { readonly requests: number; readonly input_tokens: number; readonly output_tokens: number };
}
function variantsFor({ name }: SdkMethod): Variants {
  return new Variants({
    depth: 0,
    text: (field) =>
      /^model(?:ID)?$/.test(field) ? modelOf(name) : field.endsWith('url') ? 'https://example.com/a' : 'text',
    file: () => new File(['bytes'], 'a.png', { type: 'image/png' }),
    number: (field) =>
      /^(?:input|prompt)_tokens$/.test(field) ? INPUT : /^(?:output|completion)_tokens$/.test(field) ? OUTPUT : 1,
  });
}

/** Usage is optional in some response types. The mock always reports it. */
function responseOf(method: SdkMethod): unknown {
  const shape = method.response!;
  if (shape.kind === 'file') return Buffer.from(BATCH_LINE);
  const values = variantsFor(method);
  // The SDK requests embeddings as base64 and decodes them.
  if (method.name === 'embeddings.create')
    return { object: 'list', data: [{ embedding: 'AAAAAA==' }], usage: { prompt_tokens: INPUT } };
  const response = values.smallest(shape);
  const usage = fieldsOf(shape).find(({ name }) => name === 'usage');
  return usage === undefined ? response : { ...(response as object), usage: values.smallest(usage.shape, 'usage') };
}

const BATCH_LINE = `${JSON.stringify({
  custom_id: '1',
  method: 'POST',
  url: '/v1/chat/completions',
  body: { model: 'gpt-4o', messages: [] },
})}\n`;

function fieldsOf(shape: Shape): readonly { readonly name: string; readonly shape: Shape }[] {
  if (shape.kind === 'union') return shape.members.flatMap(fieldsOf);
  return shape.kind === 'object' ? shape.fields : [];
}
