import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { CreateApiKeyRequest, UpdateApiKeyRequest } from '../../../../src/admin/api-keys/api-key.request.dto.js';
import { ReconciliationRequest } from '../../../../src/admin/reconciliation/reconciliation.dto.js';
import { SetModelPolicyRequest } from '../../../../src/admin/model-allowlist/model-allowlist.dto.js';
import { BulkKeysRequest } from '../../../../src/admin/api-keys/api-key.request.dto.js';
import { ResetQuotaRequest } from '../../../../src/admin/api-keys/api-key.request.dto.js';
import {
  CreateOperatorRequest,
  SetPasswordRequest,
  UpdateOperatorRequest,
} from '../../../../src/admin/operators/operator.dto.js';
import {
  CreateLimitRequest,
  CreateTopUpRequest,
  SimulateLimitRequest,
  UpdateLimitRequest,
} from '../../../../src/admin/limits/limit.request.dto.js';
import { DecideLostChangesRequest } from '../../../../src/admin/lost-changes/lost-changes.dto.js';
import { pathOfImported, readPrice } from '../../../../src/admin/prices/price-input.js';
import { CreatePriceRequest, ImportPricesRequest } from '../../../../src/admin/prices/price.request.dto.js';
import { RecomputeRequest } from '../../../../src/admin/prices/price-query.request.dto.js';
import { CreateTeamRequest, UpdateTeamRequest } from '../../../../src/admin/teams/team.dto.js';
import { CreateWebhookRequest, UpdateWebhookRequest } from '../../../../src/admin/webhooks/webhook.dto.js';
import { ChangePasswordRequest } from '../../../../src/admin/dashboard/session.dto.js';
import { SignInRequest } from '../../../../src/admin/dashboard/session.dto.js';
import { GatewayError } from '../../../../src/platform/errors/gateway-error.js';
import { SpeechRequest, TranscriptionRequest } from '../../../../src/proxy/audio/audio.dto.js';
import { ChatCompletionRequest } from '../../../../src/proxy/chat/chat-completion.dto.js';
import { CompletionRequest } from '../../../../src/proxy/completions/completion.dto.js';
import { EmbeddingRequest } from '../../../../src/proxy/embeddings/embedding.dto.js';
import { ImageEditRequest, ImageGenerationRequest } from '../../../../src/proxy/images/images.dto.js';
import { MessageRequest } from '../../../../src/proxy/messages/message.dto.js';
import { ResponseRequest } from '../../../../src/proxy/responses/response.dto.js';
import { compileRules } from '../../../../src/platform/validation/body-rules.js';
import { FormFile } from '../../../../src/platform/validation/form-kinds.js';
import { acceptInput } from '../../../../src/platform/validation/nested-input.js';
import { InputPipe } from '../../../../src/platform/validation/input.pipe.js';
import { TestGateway, type Key } from '../../../support/gateway.js';
import { broken, type Broken } from './broken-bodies.js';
import { bodyOf, documentOf, operationsOf, type Document, type Schema } from '../../../support/openapi-document.js';
import { inlined, valuesOf } from '../../../support/schema-bodies.js';

type Body = Record<string, unknown>;

/** A model outside the registry, which every route except one accepts. */
const CUSTOM_MODEL = 'acme-custom-1';

interface Judged {
  readonly Dto: new () => object;
  /** The compiled rules check /v1 bodies. Nest's pipe checks operator requests. */
  readonly edge: 'v1' | 'operators';
  /** Judges bodies with nested objects, whose rules need values that the body does not have. */
  readonly read?: (body: unknown) => unknown;
  /** Makes a body valid under rules about several fields, which the schema cannot express. */
  readonly around?: (body: Body) => Body;
  /** The model of each body that is sent over HTTP. */
  readonly http?: string;
}

/**
 * The schemas do not contain these rules. The descriptions explain them, and `around` satisfies those that random bodies break:
 * - chat: `stream_options` requires `stream: true`, `top_logprobs` requires `logprobs: true`, and the audio modality requires
 *   `audio`; the older reasoning family restricts `temperature` and `n`
 * - completions: `stream_options` requires `stream: true`, and the total length of the echoed prompts is limited
 * - messages: roles alternate, and the total length of all `betas` is limited
 * - embeddings: one family requires `input_type`
 * - speech and images: some models do not accept some fields
 * - keys: timestamps contain only days that exist in their month
 * - webhooks: `*` is the only event
 * - limits: the target belongs to the scope, and amounts and periods to the measure
 * - prices: names of upstreams, the order of times and tiers, and either a list or prices
 *
 * Random bodies never contain the names of those models.
 */
const JUDGED: Readonly<Record<string, Judged>> = {
  ChatCompletionRequest: { Dto: ChatCompletionRequest, edge: 'v1', around: chatAround, http: CUSTOM_MODEL },
  CompletionRequest: { Dto: CompletionRequest, edge: 'v1', around: completionAround, http: CUSTOM_MODEL },
  MessageRequest: { Dto: MessageRequest, edge: 'v1', around: messagesAround, http: CUSTOM_MODEL },
  ResponseRequest: { Dto: ResponseRequest, edge: 'v1', http: 'gpt-4o-mini' },
  EmbeddingRequest: { Dto: EmbeddingRequest, edge: 'v1', http: CUSTOM_MODEL },
  SpeechRequest: { Dto: SpeechRequest, edge: 'v1', http: CUSTOM_MODEL },
  ImageGenerationRequest: { Dto: ImageGenerationRequest, edge: 'v1', http: CUSTOM_MODEL },
  TranscriptionRequest: { Dto: TranscriptionRequest, edge: 'v1' },
  ImageEditRequest: { Dto: ImageEditRequest, edge: 'v1' },
  CreateApiKeyRequest: { Dto: CreateApiKeyRequest, edge: 'operators' },
  UpdateApiKeyRequest: { Dto: UpdateApiKeyRequest, edge: 'operators' },
  CreateTeamRequest: { Dto: CreateTeamRequest, edge: 'operators' },
  UpdateTeamRequest: { Dto: UpdateTeamRequest, edge: 'operators' },
  SetModelPolicyRequest: { Dto: SetModelPolicyRequest, edge: 'operators' },
  BulkKeysRequest: { Dto: BulkKeysRequest, edge: 'operators' },
  ResetQuotaRequest: { Dto: ResetQuotaRequest, edge: 'operators' },
  ReconciliationRequest: { Dto: ReconciliationRequest, edge: 'operators' },
  CreateWebhookRequest: { Dto: CreateWebhookRequest, edge: 'operators', around: starAlone },
  UpdateWebhookRequest: { Dto: UpdateWebhookRequest, edge: 'operators', around: starAlone },
  CreateOperatorRequest: { Dto: CreateOperatorRequest, edge: 'operators' },
  UpdateOperatorRequest: { Dto: UpdateOperatorRequest, edge: 'operators' },
  SetPasswordRequest: { Dto: SetPasswordRequest, edge: 'operators' },
  RecomputeRequest: { Dto: RecomputeRequest, edge: 'operators', around: (body) => ({ ...body, until: undefined }) },
  CreateLimitRequest: {
    Dto: CreateLimitRequest,
    edge: 'operators',
    read: readLimit(CreateLimitRequest),
    around: limitAround,
  },
  SimulateLimitRequest: {
    Dto: SimulateLimitRequest,
    edge: 'operators',
    read: readLimit(SimulateLimitRequest),
    around: limitAround,
  },
  UpdateLimitRequest: {
    Dto: UpdateLimitRequest,
    edge: 'operators',
    read: readLimit(UpdateLimitRequest),
    around: amountsAround,
  },
  CreateTopUpRequest: {
    Dto: CreateTopUpRequest,
    edge: 'operators',
    read: readLimit(CreateTopUpRequest),
    around: amountsAround,
  },
  CreatePriceRequest: {
    Dto: CreatePriceRequest,
    edge: 'operators',
    read: (body) => readPrice(body, '', PRICE_CONTEXT),
    around: priceAround,
  },
  ImportPricesRequest: { Dto: ImportPricesRequest, edge: 'operators', read: readPrices, around: importAround },
  DecideLostChangesRequest: { Dto: DecideLostChangesRequest, edge: 'operators' },
  SignInRequest: { Dto: SignInRequest, edge: 'operators' },
  ChangePasswordRequest: { Dto: ChangePasswordRequest, edge: 'operators' },
};

/** Bodies that the gateway forwards unchanged. The provider validates them (D9). */
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

const inlinedSchemas = new Map<string, Schema>();
function schemaOf(name: string): Schema {
  const { schemas } = document.components;
  let schema = inlinedSchemas.get(name);
  if (schema === undefined) inlinedSchemas.set(name, (schema = inlined(schemas[name]!, schemas)));
  return schema;
}
const compiled = new WeakMap<Schema, (value: unknown) => boolean>();
function allows(schema: Schema, value: unknown): boolean {
  let judge = compiled.get(schema);
  if (judge === undefined) compiled.set(schema, (judge = ajv.compile(schema) as (value: unknown) => boolean));
  return judge(value);
}
/** Only values of forms contain files. */
const allowsInForm = (schema: Schema, value: unknown): boolean => allows(schema, inText(bytes(value)));

test('this spec covers every documented body that the gateway validates', () => {
  const bodies = [...operationsOf(document).values()].flatMap((operation) => bodyOf(operation)?.schema ?? []);
  expect([...new Set(bodies)].sort()).toEqual([...Object.keys(JUDGED), ...FORWARDED].sort());
});

describe.each(Object.keys(JUDGED))('the body %s', (name) => {
  const { Dto, edge, read, around = (body) => body } = JUDGED[name]!;
  const judgeBody = edge === 'v1' ? compileRules(Dto) : judgedBy(read ?? pipeOf(Dto));
  const isForm = FORMS.includes(name);
  const isAllowed = isForm ? allowsInForm : allows;
  const judge = (body: unknown): GatewayError | null => {
    const { stackTraceLimit } = Error;
    // The stack of an error costs more than the rules.
    Error.stackTraceLimit = 0;
    try {
      return judgeBody((isForm ? asForm(body as Body) : body) as Body);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  };
  const bodies = () => (valuesOf(schemaOf(name)) as fc.Arbitrary<Body>).map(around);

  test(`every ${name} that the document allows is accepted`, () => {
    fc.assert(
      fc.property(bodies(), (body) => {
        expect([isAllowed(schemaOf(name), body), describedBy(judge(body)), body]).toEqual([true, null, body]);
      }),
      { numRuns: 150 },
    );
  });

  test(`a ${name} that breaks any single documented constraint is rejected`, () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(bodies(), (body) => {
        for (const wrong of broken(schemaOf(name), body, isAllowed)) {
          if (isForm && isTextAnyway(wrong.what)) continue;
          if (!isObject(wrong.body) || isAllowed(schemaOf(name), wrong.body)) continue;
          if (wrong.what.startsWith(': required ')) seen.add(wrong.what);
          if (judge(wrong.body) === null) throw new Error(`passes, ${wrong.what}: ${JSON.stringify(wrong.body)}`);
        }
      }),
      // Each body is broken in about a hundred places.
      { numRuns: 40 },
    );
    for (const member of (schemaOf(name).required ?? []) as string[]) expect(seen).toContain(`: required ${member}`);
  });
});

describe('bodies sent over HTTP', () => {
  const routes = () =>
    [...operationsOf(document)].flatMap(([route, operation]) => {
      const { schema } = bodyOf(operation) ?? {};
      const model = schema === undefined ? undefined : JUDGED[schema]?.http;
      return schema === undefined || model === undefined ? [] : [{ path: route.split(' ')[1]!, schema, model }];
    });

  test('valid bodies are accepted over HTTP, and invalid bodies return 400', async () => {
    const judged = Object.values(JUDGED).filter(({ http }) => http !== undefined);
    expect(routes().length).toBe(judged.length);
    for (const { path, schema, model } of routes()) {
      const { around = (body: Body) => body } = JUDGED[schema]!;
      const bodies = fc.sample((valuesOf(schemaOf(schema)) as fc.Arbitrary<Body>).map(around), 6);
      for (const body of bodies.map((body) => ({ ...body, model }))) {
        const { status, text } = await gateway.call('POST', path, { key, body });
        expect([path, status === 400 ? text : 'passes']).toEqual([path, 'passes']);
        const wrong = firstForbidden(schema, body);
        const refused = await gateway.call('POST', path, { key, body: wrong!.body });
        expect([path, wrong!.what, refused.status]).toEqual([path, wrong!.what, 400]);
      }
    }
  });

  function firstForbidden(schema: string, body: Body): Broken | undefined {
    for (const one of broken(schemaOf(schema), body, allows)) if (isForbidden(schema, one.body)) return one;
    return undefined;
  }
  /** Ignores bodies with an invalid `model`, because the model gate rejects them first. */
  const isForbidden = (schema: string, body: unknown): boolean =>
    isObject(body) && typeof body.model === 'string' && body.model.length < 100 && !allows(schemaOf(schema), body);
});

function pipeOf(Dto: new () => object): (body: unknown) => object {
  const pipe = new InputPipe(Dto, { source: 'body' });
  return (body) => pipe.transform(body as Body);
}

function judgedBy(read: (body: unknown) => unknown): (body: Body) => GatewayError | null {
  return (body) => {
    try {
      read(body);
      return null;
    } catch (error) {
      if (error instanceof GatewayError) return error;
      throw error;
    }
  };
}

/** Replaces files with text, as in the schema. */
const inText = (body: unknown): unknown =>
  isObject(body)
    ? Object.fromEntries(
        Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? value.map(bytes) : bytes(value)]),
      )
    : body;

const bytes = (value: unknown): unknown => (value instanceof FormFile ? 'bytes' : value);

const describedBy = (error: GatewayError | null): string | null =>
  error === null ? null : `${error.code} ${error.message}`;

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof FormFile);

/** Converts a body to a form: values that are not files become text, one-element lists become single fields, and empty lists are omitted. */
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

/** A form contains only text and files, so it cannot express a wrong JSON type, a nested list or an empty list. */
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

function messagesAround(body: Body): Body {
  const messages = (body.messages as Body[]).map((turn, i) => ({ ...turn, role: i % 2 === 0 ? 'user' : 'assistant' }));
  return { ...body, messages };
}

function starAlone(body: Body): Body {
  return Array.isArray(body.events) && body.events.includes('*') ? { ...body, events: ['*'] } : body;
}

/** Reads a change or a top-up for a limit of requests. */
function readLimit(Dto: new () => object): (body: unknown) => object {
  return (body) => acceptInput(Dto, body)({ measure: Reflect.get(body as object, 'measure') ?? 'requests' });
}

/** Weights have at most three decimals. */
function weightsAround(body: Body): Body {
  if (!isObject(body.weights)) return body;
  const weights = Object.entries(body.weights).map(([name, weight]) => [
    name,
    Math.round(Number(weight) * 1000) / 1000,
  ]);
  return { ...body, weights: Object.fromEntries(weights) as Body };
}

const withAmounts = (body: Body, amount: unknown): Body => ({
  ...weightsAround(body),
  ...('amount' in body && { amount }),
  ...((body.carry_over ?? null) !== null && { carry_over: amount }),
});

function amountsAround(body: Body): Body {
  return withAmounts(body, 7);
}

function limitAround(body: Body): Body {
  const isConcurrent = body.measure === 'concurrent_requests';
  const ID = '0198c0de-0000-7000-8000-000000000000';
  return {
    ...withAmounts(body, body.measure === 'cost' ? '2.50' : 7),
    team_id: body.scope === 'team' ? (body.team_id ?? ID) : null,
    key_id: body.scope === 'key' ? (body.key_id ?? ID) : null,
    tag: body.scope === 'tag' ? (body.tag ?? 'production') : null,
    period: isConcurrent ? null : (body.period ?? 'month'),
    ...(isConcurrent && { alert_thresholds: [] }),
  };
}

const PRICE_CONTEXT = { upstreams: ['default'], nowMs: Date.UTC(2026, 6, 1) };

function readPrices(body: unknown): void {
  const { prices } = acceptInput(ImportPricesRequest, body)();
  for (const [at, price] of prices.entries()) readPrice(price, pathOfImported(at), PRICE_CONTEXT);
}

function importAround(body: Body): Body {
  return { ...body, prices: (body.prices as Body[]).map(priceAround) };
}

function priceAround(body: Body): Body {
  const hasList = (body.list ?? null) !== null;
  const { tiers, images, factors, ...others } = body;
  const listed = (list: unknown) => (list ?? []) as Body[];
  return {
    ...others,
    ...('provider' in body && { provider: 'default' }),
    ...('valid_to' in body && { valid_to: null }),
    ...((body.hours ?? null) !== null && { hours: '16:30-00:30' }),
    ...(hasList && { prices: undefined }),
    ...(!hasList && {
      prices: { input: '2.50' },
      tiers: listed(tiers).map((tier, at) => ({ ...tier, above: 10 * (at + 1), prices: { output: '3' } })),
      images: listed(images).map((image) => ({ ...image, price: '5' })),
      factors: listed(factors).map(({ region }) =>
        (region ?? null) === null ? { service_tier: 'flex', multiplier: '0.5' } : { region, multiplier: '2' },
      ),
    }),
  };
}
