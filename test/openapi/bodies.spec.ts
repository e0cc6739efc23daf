import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { CreateApiKeyRequest, UpdateApiKeyRequest } from '../../src/admin/api-keys/api-key.request.dto.js';
import { SetModelPolicyRequest } from '../../src/admin/model-allowlist/model-allowlist.request.dto.js';
import { BulkKeysRequest } from '../../src/admin/api-keys/api-key.request.dto.js';
import { ResetQuotaRequest } from '../../src/admin/api-keys/api-key.request.dto.js';
import {
  CreateOperatorRequest,
  SetPasswordRequest,
  UpdateOperatorRequest,
} from '../../src/admin/operators/operator.request.dto.js';
import { CreateWebhookRequest, UpdateWebhookRequest } from '../../src/admin/webhooks/webhook.request.dto.js';
import { ChangePasswordRequest } from '../../src/dashboard/session.dto.js';
import { SignInRequest } from '../../src/dashboard/session.dto.js';
import { GatewayError } from '../../src/errors/gateway-error.js';
import { SpeechRequest } from '../../src/proxy/audio/speech.request.dto.js';
import { TranscriptionRequest } from '../../src/proxy/audio/transcription.request.dto.js';
import { ChatCompletionRequest } from '../../src/proxy/chat/chat-completion.request.dto.js';
import { CompletionRequest } from '../../src/proxy/completions/completion.request.dto.js';
import { EmbeddingRequest } from '../../src/proxy/embeddings/embedding.request.dto.js';
import { ImageEditRequest, ImageGenerationRequest } from '../../src/proxy/images/images.request.dto.js';
import { MessageRequest } from '../../src/proxy/messages/message.request.dto.js';
import { ResponseRequest } from '../../src/proxy/responses/response.request.dto.js';
import { compileRules } from '../../src/validation/compile-rules.js';
import { FormFile } from '../../src/validation/form-kinds.js';
import { InputPipe } from '../../src/validation/input.pipe.js';
import { TestGateway, type Key } from '../support/gateway.js';
import { broken } from './broken-bodies.js';
import { bodyOf, documentOf, operationsOf, type Document, type Schema } from '../support/openapi-document.js';
import { valuesOf } from '../support/schema-bodies.js';

type Body = Record<string, unknown>;

/** Of nobody's registry: it passes on every route but one. */
const CUSTOM_MODEL = 'acme-custom-1';

interface Judged {
  readonly Dto: new () => object;
  /** The compiled rules judge bodies of /v1, Nest's pipe those of operators. */
  readonly edge: 'v1' | 'operators';
  /** Makes a body obey the rules that the schema leaves unsaid, since they look at several members at once. */
  readonly around?: (body: Body) => Body;
  /** A model that each body asks for, where it goes through HTTP. */
  readonly http?: string;
}

/**
 * Left unsaid by the schemas, told in the descriptions, and generated around:
 * - chat: `stream_options` only with `stream: true`, `top_logprobs` only with `logprobs: true`, `audio` needed by the
 *   modality; the older reasoning family's `temperature` and `n`; completions: `stream_options` likewise,
 *   and how long all echoed prompts are together;
 * - messages: whose turn it is; the length of all `betas` together;
 * - embeddings: `input_type` needed by one family; speech, images: what single models do not take;
 * - keys: days that a month does not have; webhooks: `*` alone.
 * Names of those models are not made by chance.
 */
const JUDGED: Readonly<Record<string, Judged>> = {
  ChatCompletionRequest: { Dto: ChatCompletionRequest, edge: 'v1', around: chatAround, http: CUSTOM_MODEL },
  CompletionRequest: { Dto: CompletionRequest, edge: 'v1', around: completionAround, http: CUSTOM_MODEL },
  MessageRequest: { Dto: MessageRequest, edge: 'v1', around: inTurns, http: CUSTOM_MODEL },
  ResponseRequest: { Dto: ResponseRequest, edge: 'v1', http: 'gpt-4o-mini' },
  EmbeddingRequest: { Dto: EmbeddingRequest, edge: 'v1', http: CUSTOM_MODEL },
  SpeechRequest: { Dto: SpeechRequest, edge: 'v1', http: CUSTOM_MODEL },
  ImageGenerationRequest: { Dto: ImageGenerationRequest, edge: 'v1', http: CUSTOM_MODEL },
  TranscriptionRequest: { Dto: TranscriptionRequest, edge: 'v1' },
  ImageEditRequest: { Dto: ImageEditRequest, edge: 'v1' },
  CreateApiKeyRequest: { Dto: CreateApiKeyRequest, edge: 'operators' },
  UpdateApiKeyRequest: { Dto: UpdateApiKeyRequest, edge: 'operators' },
  SetModelPolicyRequest: { Dto: SetModelPolicyRequest, edge: 'operators' },
  BulkKeysRequest: { Dto: BulkKeysRequest, edge: 'operators' },
  ResetQuotaRequest: { Dto: ResetQuotaRequest, edge: 'operators' },
  CreateWebhookRequest: { Dto: CreateWebhookRequest, edge: 'operators', around: starAlone },
  UpdateWebhookRequest: { Dto: UpdateWebhookRequest, edge: 'operators', around: starAlone },
  CreateOperatorRequest: { Dto: CreateOperatorRequest, edge: 'operators' },
  UpdateOperatorRequest: { Dto: UpdateOperatorRequest, edge: 'operators' },
  SetPasswordRequest: { Dto: SetPasswordRequest, edge: 'operators' },
  SignInRequest: { Dto: SignInRequest, edge: 'operators' },
  ChangePasswordRequest: { Dto: ChangePasswordRequest, edge: 'operators' },
};

/** What their schemas say is the provider's to judge: the gateway sends them on as they came (D9). */
const FORWARDED = [
  'AssistantChange',
  'FileUpload',
  'RunCreation',
  'ThreadCreation',
  'ThreadMessageCreation',
  'VectorStoreChange',
  'VectorStoreFileCreation',
];

const FORMS = ['TranscriptionRequest', 'ImageEditRequest'];

let gateway: TestGateway;
let document: Document;
let ajv: Ajv2020;
let key: Key;

beforeAll(async () => {
  gateway = await TestGateway.start();
  document = await documentOf(gateway);
  ajv = new Ajv2020({ strictSchema: false, validateFormats: false });
  ajv.addSchema({ $id: 'api', components: { schemas: document.components.schemas } });
  key = await gateway.createKey();
});
afterAll(() => gateway?.stop());

const schemaOf = (name: string): Schema => document.components.schemas[name]!;
const compiled = new WeakMap<Schema, (value: unknown) => boolean>();
function allows(schema: Schema, value: unknown): boolean {
  let judge = compiled.get(schema);
  if (judge === undefined) compiled.set(schema, (judge = ajv.compile(schema) as (value: unknown) => boolean));
  return judge(inText(bytes(value)));
}

test('every body of the description is judged here, or left to the provider', () => {
  const bodies = [...operationsOf(document).values()].flatMap((operation) => bodyOf(operation)?.schema ?? []);
  expect([...new Set(bodies)].sort()).toEqual([...Object.keys(JUDGED), ...FORWARDED].sort());
});

describe.each(Object.keys(JUDGED))('%s', (name) => {
  const { Dto, edge, around = (body) => body } = JUDGED[name]!;
  const judgeBody = edge === 'v1' ? compileRules(Dto) : judgedByPipe(Dto);
  const isForm = FORMS.includes(name);
  const judge = async (body: unknown): Promise<GatewayError | null> =>
    judgeBody((isForm ? asForm(body as Body) : body) as Body);
  const bodies = () => (valuesOf(schemaOf(name)) as fc.Arbitrary<Body>).map(around);

  test('what the document allows passes', async () => {
    await fc.assert(
      fc.asyncProperty(bodies(), async (body) => {
        expect([allows(schemaOf(name), inText(body)), toldBy(await judge(body)), body]).toEqual([true, null, body]);
      }),
      { numRuns: 150 },
    );
  });

  test('what the document forbids is refused, whichever one constraint is broken', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(bodies(), async (body) => {
        for (const wrong of broken(schemaOf(name), body, allows)) {
          if (isForm && isTextAnyway(wrong.what)) continue;
          if (allows(schemaOf(name), inText(wrong.body)) || !isObject(wrong.body)) continue;
          seen.add(wrong.what.replace(/\d+/g, 'N'));
          if ((await judge(wrong.body)) === null)
            throw new Error(`passes, ${wrong.what}: ${JSON.stringify(wrong.body)}`);
        }
      }),
      // Each breaks some hundred places.
      { numRuns: 40 },
    );
    for (const member of (schemaOf(name).required ?? []) as string[]) expect(seen).toContain(`: required ${member}`);
  });
});

describe('over HTTP', () => {
  const routes = () =>
    [...operationsOf(document)].flatMap(([route, operation]) => {
      const { schema } = bodyOf(operation) ?? {};
      const model = schema === undefined ? undefined : JUDGED[schema]?.http;
      return schema === undefined || model === undefined ? [] : [{ path: route.split(' ')[1]!, schema, model }];
    });

  test('bodies that the document allows are not refused, others are 400', async () => {
    const judged = Object.values(JUDGED).filter(({ http }) => http !== undefined);
    expect(routes().length).toBe(judged.length);
    for (const { path, schema, model } of routes()) {
      const { around = (body: Body) => body } = JUDGED[schema]!;
      const bodies = fc.sample((valuesOf(schemaOf(schema)) as fc.Arbitrary<Body>).map(around), 6);
      for (const body of bodies.map((body) => ({ ...body, model }))) {
        const { status, text } = await gateway.call('POST', path, { key, body });
        expect([path, status === 400 ? text : 'passes']).toEqual([path, 'passes']);
        const wrong = [...broken(schemaOf(schema), body, allows)].find((one) => isForbidden(schema, one.body));
        const refused = await gateway.call('POST', path, { key, body: wrong!.body });
        expect([path, wrong!.what, refused.status]).toEqual([path, wrong!.what, 400]);
      }
    }
  }, 60_000);

  /** Of the members but `model`: the model gate goes first. */
  const isForbidden = (schema: string, body: unknown): boolean =>
    isObject(body) && typeof body.model === 'string' && body.model.length < 100 && !allows(schemaOf(schema), body);
});

function judgedByPipe(Dto: new () => object): (body: Body) => Promise<GatewayError | null> {
  const pipe = new InputPipe(Dto, { source: 'body' });
  return async (body) => {
    try {
      await pipe.transform(body);
      return null;
    } catch (error) {
      if (error instanceof GatewayError) return error;
      throw error;
    }
  };
}

/** Files as the schema sees them: text. */
const inText = (body: unknown): unknown =>
  isObject(body)
    ? Object.fromEntries(
        Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? value.map(bytes) : bytes(value)]),
      )
    : body;

const bytes = (value: unknown): unknown => (value instanceof FormFile ? 'bytes' : value);

const toldBy = (error: GatewayError | null): string | null =>
  error === null ? null : `${error.code} ${error.message}`;

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof FormFile);

/** A form as the gateway reads it: text for everything but files, a list of one like a single field, an empty one absent. */
function asForm(body: Body): Body {
  const text = (value: unknown) =>
    value instanceof FormFile || typeof value === 'string' ? value : JSON.stringify(value);
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      if (!Array.isArray(value)) return [[name, text(value)]];
      return value.length === 0 ? [] : [[name, value.length === 1 ? text(value[0]) : value.map(text)]];
    }),
  );
}

/** In a form everything is text: a wrong JSON type, a list in a list, or an empty list cannot be expressed. */
const isTextAnyway = (what: string): boolean => /: (type|integer|minItems)$/.test(what);

function streamAround(body: Body): Body {
  return (body.stream_options ?? null) === null ? body : { ...body, stream: true };
}

function completionAround(body: Body): Body {
  return { ...streamAround(body), ...(typeof body.n === 'number' && { n: Math.min(body.n, 1000) }) };
}

function chatAround(body: Body): Body {
  const spoken = Array.isArray(body.modalities) && body.modalities.includes('audio');
  return {
    ...streamAround(body),
    ...((body.top_logprobs ?? null) !== null && { logprobs: true }),
    ...(spoken && { audio: body.audio ?? { voice: 'alloy' } }),
  };
}

function inTurns(body: Body): Body {
  const messages = (body.messages as Body[]).map((turn, i) => ({ ...turn, role: i % 2 === 0 ? 'user' : 'assistant' }));
  return { ...body, messages };
}

function starAlone(body: Body): Body {
  return Array.isArray(body.events) && body.events.includes('*') ? { ...body, events: ['*'] } : body;
}
