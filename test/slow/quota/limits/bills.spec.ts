import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { Key, TestGateway } from '../../../support/gateway.js';
import { LimitCalls } from '../../../support/limit-calls.js';
import { untilPasses } from '../../../support/poll.js';
import { startGateway } from '../../../support/ready-gateway.js';
import { postHead, Wire } from '../../../support/wire.js';

const CHAT = '/v1/chat/completions';
const ASSUMED = { input: 1, output: 2 };
/** Dollars per million tokens, and whether the model can generate more output than it shows. */
const MODELS = {
  'gpt-4o': { input: 2.5, output: 10, hides: false },
  'o3-mini': { input: 1.1, output: 4.4, hides: true },
  'acme-custom-1': { ...ASSUMED, hides: true },
};
type Model = keyof typeof MODELS;
/** At most as many as the gateway estimates for such a request. */
const INPUT_TOKENS = 7;
/** The least that the gateway expects of a choice, whatever it has seen. */
const LIKELY_TOKENS = 1024;

const TIERS = {
  specification: [undefined, 'auto', 'flex'],
  current: [undefined, 'auto', 'flex', 'batch', 'priority'],
} as const;
type Profile = keyof typeof TIERS;

const callOf = (profile: Profile) =>
  fc.record({
    model: fc.constantFrom(...(Object.keys(MODELS) as Model[])),
    maxTokens: fc.integer({ min: 1, max: 16_000 }),
    n: fc.integer({ min: 1, max: 3 }),
    stream: fc.boolean(),
    options: fc.constantFrom(undefined, null, {}, { include_usage: false }, { include_usage: true }),
    tier: fc.constantFrom(...TIERS[profile]),
    leaves: fc.constantFrom('never', 'never', 'never', 'before the response', 'after the text', 'before the report'),
    /** The part of `maxTokens` that the provider generates, and the part of it that is text. */
    generates: fc.double({ min: 0, max: 1, noNaN: true }),
    shows: fc.double({ min: 0, max: 1, noNaN: true }),
    reports: fc.constantFrom('if asked', 'if asked', 'always', 'never'),
    ends: fc.constantFrom('whole', 'whole', 'whole', 'broken', 'refused'),
  });
type Call = ReturnType<typeof callOf> extends fc.Arbitrary<infer T> ? T : never;

interface Bill {
  readonly input: number;
  readonly output: number;
  readonly dollars: number;
}

const WORDS = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor'.split(' ');
const textOf = (words: number): string => Array.from({ length: words }, (_, at) => WORDS[at % WORDS.length]).join(' ');
const event = (data: unknown) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/**
 * A provider whose bill is known. It bills everything that it has generated when the client leaves. It answers when all callers wait for
 * it, because only requests that run at the same time can exceed a limit together.
 */
class BillingProvider {
  readonly bills: Bill[] = [];
  /** The calls whose last byte for now is on its way, by index. */
  readonly written = new Set<number>();
  private readonly unanswered: (() => void)[] = [];

  constructor(
    private readonly calls: readonly Call[],
    private callers: number,
  ) {}

  receive(request: string, response: ServerResponse): void {
    this.unanswered.push(() => this.answer(request, response));
    this.answerIfAllWait();
  }

  /** A caller has no more calls. */
  lose(): void {
    this.callers -= 1;
    this.answerIfAllWait();
  }

  private answerIfAllWait(): void {
    if (this.unanswered.length === this.callers) for (const answer of this.unanswered.splice(0)) answer();
  }

  private answer(request: string, response: ServerResponse): void {
    const sent = JSON.parse(request) as SentRequest;
    const index = Number(sent.messages[0]!.content);
    const call = this.calls[index]!;
    response.on('error', () => {});
    const done = () => void this.written.add(index);
    if (call.ends === 'refused') {
      response.writeHead(429, { 'content-type': 'application/json' }).end('{"error":{"message":"Slow down."}}', done);
    } else if (call.leaves === 'before the response') {
      // The docs promise no more than one likely choice for a request that its client abandons.
      this.bill(call, Math.floor(LIKELY_TOKENS / call.n));
      done();
    } else if (sent.stream) this.stream(call, sent, response, done);
    else this.complete(call, response, done);
  }

  private complete(call: Call, response: ServerResponse, done: () => void): void {
    const isWhole = call.ends === 'whole' && call.leaves === 'never';
    // The docs promise no more than the reserved amount for a JSON response that does not arrive.
    const usage = this.bill(call, isWhole ? Infinity : LIKELY_TOKENS);
    const choices = indexes(call).map((index) => ({ index, message: { content: contentOf(call) } }));
    const report = call.reports === 'never' ? {} : { usage };
    const body = JSON.stringify({ object: 'chat.completion', choices, ...report });
    const head = { 'content-type': 'application/json' };
    if (isWhole) return void response.writeHead(200, head).end(body, done);
    response.writeHead(200, { ...head, 'content-length': body.length + 9 });
    response.write(body, () => {
      if (call.leaves === 'never') response.socket?.end();
      done();
    });
  }

  private stream(
    call: Call,
    { stream_options: options }: SentRequest,
    response: ServerResponse,
    done: () => void,
  ): void {
    const usage = this.bill(call);
    const reports = call.reports === 'always' || (call.reports === 'if asked' && options?.include_usage === true);
    const chunk = (index: number, delta: object, reason: string | null) =>
      event({ choices: [{ index, delta, finish_reason: reason }] });
    const events = indexes(call).map((index) => chunk(index, { content: contentOf(call) }, null));
    if (call.leaves !== 'after the text') events.push(...indexes(call).map((index) => chunk(index, {}, 'stop')));
    if (call.leaves === 'never' && reports) events.push(event({ choices: [], usage }));
    if (call.leaves === 'never' && call.ends === 'whole') events.push(event('[DONE]'));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(events.join(''), () => {
      if (call.leaves === 'never' && call.ends === 'whole') response.end();
      else if (call.leaves === 'never') response.socket?.end();
      done();
    });
  }

  private bill(call: Call, outputMax = Infinity): object {
    const each = MODELS[call.model].hides ? Math.floor(call.maxTokens * call.generates) : countTokens(contentOf(call));
    const output = Math.min(each, outputMax) * call.n;
    this.bills.push(billOf(call, output));
    return { prompt_tokens: INPUT_TOKENS, completion_tokens: output, total_tokens: INPUT_TOKENS + output };
  }
}

function billOf({ model, tier }: Call, output: number): Bill {
  const { input, output: price } = MODELS[model];
  const factor = model === 'gpt-4o' && tier === 'priority' ? 1.7 : 1;
  return { input: INPUT_TOKENS, output, dollars: ((INPUT_TOKENS * input + output * price) * factor) / 1e6 };
}

const highestBillOf = (call: Call): Bill => billOf(call, call.maxTokens * call.n);

/** The highest usage under a limit with typical reservations: twice its amount or, if that is more, one request beyond it. */
const boundOf = (amount: number, mostOfOneRequest: number): number => Math.max(2 * amount, amount + mostOfOneRequest);

/** Afterwards, the gateway expects short answers of each model. */
async function receiveShortAnswers(gateway: TestGateway, key: Key, count: number): Promise<void> {
  const usage = { prompt_tokens: INPUT_TOKENS, completion_tokens: 1, total_tokens: INPUT_TOKENS + 1 };
  const body = { object: 'chat.completion', choices: [{ message: { content: 'Yes' } }], usage };
  gateway.upstream.on('POST', CHAT, () => ({ body }));
  for (const model of Object.keys(MODELS))
    await Promise.all(Array.from({ length: count }, () => gateway.chat(key, { model })));
}

interface SentRequest {
  readonly messages: readonly { readonly content: string }[];
  readonly stream: boolean;
  readonly stream_options?: { readonly include_usage?: boolean } | null;
}

const indexes = ({ n }: Call): number[] => Array.from({ length: n }, (_, index) => index);

/** At most as many tokens as the provider generates. A word has one or two. */
function contentOf({ model, maxTokens, generates, shows }: Call): string {
  const tokens = maxTokens * generates * (MODELS[model].hides ? shows : 1);
  return textOf(Math.floor(tokens / 2));
}

const bodyOf = ({ model, maxTokens, n, stream, options, tier }: Call, index: number): string =>
  JSON.stringify({
    model,
    messages: [{ role: 'user', content: String(index) }],
    max_tokens: maxTokens,
    n,
    stream,
    stream_options: stream ? options : undefined,
    service_tier: tier,
  });

/** Sends a call as its caller does. Resolves when the caller has left or has the response. */
async function play(
  gateway: TestGateway,
  key: Key,
  provider: BillingProvider,
  call: Call,
  index: number,
): Promise<void> {
  const wire = await Wire.open(gateway.port);
  const body = bodyOf(call, index);
  const head = postHead(CHAT, key.key, 'Content-Type: application/json', `Content-Length: ${body.length}`);
  wire.write(head + body);
  let ended = false;
  const response = wire.response().then(
    () => (ended = true),
    () => (ended = true),
  );
  if (call.leaves === 'never') await response;
  else await untilPasses(() => expect(ended || provider.written.has(index)).toBe(true));
  wire.close();
}

const measures = {
  output_tokens: { amount: (units: number) => units, of: ({ output }: Bill) => output },
  tokens: { amount: (units: number) => units, of: ({ input, output }: Bill) => input + output },
  cost: { amount: (units: number) => (units / 1e5).toFixed(5), of: ({ dollars }: Bill) => dollars },
};
type Measure = keyof typeof measures;

describe.each(Object.keys(TIERS) as Profile[])('the bill of the provider, with the profile %s', (profile) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ GW_PROFILE: profile, GW_UNPRICED_COST: `${ASSUMED.input}/${ASSUMED.output}` });
  });
  afterAll(() => gateway.stop());

  const scenario = fc.record({
    measure: fc.constantFrom(...(Object.keys(measures) as Measure[])),
    reserve: fc.constantFrom('full', 'typical', 'typical', 'none'),
    amount: fc.integer({ min: 4000, max: 60_000 }),
    /** The number of short answers that the key has received before. */
    before: fc.constantFrom(0, 20),
    calls: fc.array(callOf(profile), { minLength: 1, maxLength: 20 }),
    together: fc.integer({ min: 1, max: 20 }),
  });
  type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

  /** Requests of a key whose answers were short, sent together. Each generates as much output as it may. */
  const longOutputsTogether: Scenario = {
    measure: 'tokens',
    reserve: 'typical',
    amount: 8000,
    before: 20,
    calls: Array.from({ length: 20 }, (): Call => ({
      model: 'acme-custom-1',
      maxTokens: 8000,
      n: 1,
      stream: false,
      options: undefined,
      tier: undefined,
      leaves: 'never',
      generates: 1,
      shows: 0,
      reports: 'always',
      ends: 'whole',
    })),
    together: 20,
  };

  test('the bill never exceeds the used amount, nor what the docs promise for the limit', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ measure, reserve, amount, before, calls, together }) => {
        const key = await gateway.createKey();
        const limits = new LimitCalls(gateway, { scope: 'key', key_id: key.id, period: 'total' });
        // The gateway learns only from responses that a limit counts.
        await limits.create({ measure: 'output_tokens', reserve: 'none', amount: 1_000_000_000 });
        await receiveShortAnswers(gateway, key, before);
        const terms = { measure, reserve, amount: measures[measure].amount(amount) };
        const { id } = await limits.create(terms);
        const provider = new BillingProvider(calls, together);
        gateway.upstream.on('POST', CHAT, ({ body }, response) => provider.receive(body.toString(), response));

        const waiting = [...calls.entries()];
        const callers = Array.from({ length: together }, async () => {
          for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
            await play(gateway, key, provider, next[1], next[0]);
          provider.lose();
        });
        await Promise.all(callers);

        const billed = provider.bills.reduce((sum, bill) => sum + measures[measure].of(bill), 0);
        await untilPasses(async () => {
          const { reserved, used } = await limits.get(id);
          expect(Number(reserved)).toBe(0);
          expect(Number(used)).toBeGreaterThanOrEqual(billed * (1 - 1e-9));
        });
        const most = Math.max(...calls.map((call) => measures[measure].of(highestBillOf(call))));
        const promised = { full: Number(terms.amount), typical: boundOf(Number(terms.amount), most), none: Infinity };
        expect(billed).toBeLessThanOrEqual(promised[reserve] * (1 + 1e-9));
      }),
      { numRuns: 40, endOnFailure: true, examples: [[longOutputsTogether]] },
    );
  });
});
