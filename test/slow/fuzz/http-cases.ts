import type { DeclaredRoute } from '../../../src/platform/routes/declared-routes.js';
import type { Document } from '../../support/openapi-document.js';
import { bodyOf, operationsOf } from '../../support/openapi-document.js';
import { BOUNDARY, file, formOf, text } from '../../support/multipart-forms.js';
import { bodiesOf } from '../../support/application-description.js';
import { Dice } from '../../fuzz/dice.js';
import { SEED } from '../../fuzz/fuzz.js';
import { mutateBytes, mutateJson, mutateText } from '../../fuzz/mutate.js';

export interface HttpCase {
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly bytes: Buffer;
  readonly body: Buffer;
}

/** The credentials and targets of the requests. */
interface Cast {
  /** API keys that send requests. Only their counts can change. */
  readonly callers: readonly string[];
  readonly adminKey: string;
  /** IDs of keys that Admin API requests can change in any way. */
  readonly victims: readonly string[];
}

const MODELS: Readonly<Record<string, readonly string[]>> = {
  '/v1/embeddings': ['text-embedding-3-small'],
  '/v1/audio/speech': ['tts-1', 'tts-1-hd'],
  '/v1/images/generations': ['dall-e-3', 'gpt-image-1'],
  '/v1/responses': ['gpt-4o', 'o3-mini'],
  '/v1/messages': ['claude-3-haiku-20240307'],
  '/v1/completions': ['gpt-4o-mini', 'davinci-002'],
};
const QUERIES = [
  'limit=10',
  'limit=5&offset=1&sort_dir=asc',
  'since=2026-01-01',
  'search=gpt&provider=openai',
  'api_key=x&a=b',
  '%zz=%00',
];
/** Headers that the gateway ignores or interprets, and might mishandle. */
const HEADERS = [
  'X-Request-Id',
  'Accept',
  'OpenAI-Beta',
  'User-Agent',
  'Traceparent',
  'Origin',
  'Cookie',
  'X-Forwarded-For',
  'Accept-Encoding',
  'If-None-Match',
  'Range',
  'X-Api-Key',
  'Anthropic-Beta',
  'X-HTTP-Method-Override',
  'X-CSRF-Token',
  'Forwarded',
  'Via',
  '__proto__',
];
const ELSEWHERE = [
  '/',
  '/v1',
  '/v1/',
  '/openapi.json',
  '/docs',
  '/dashboard/x',
  '/metrics',
  '/v1/nothing',
  '/admin',
  '/health',
];

/** Generates valid and mutated requests to every route of the application. */
export class HttpCases {
  private readonly corpora = new Map<string, readonly object[]>();
  private readonly schemas: ReadonlyMap<string, string>;

  constructor(
    private readonly routes: readonly DeclaredRoute[],
    private readonly document: Document,
    private readonly cast: Cast,
  ) {
    const operations = [...operationsOf(document)].flatMap(([route, operation]) => {
      const schema = bodyOf(operation)?.schema;
      return schema === undefined ? [] : [[route.replace(/\{\w+\}/g, '*'), schema] as const];
    });
    this.schemas = new Map(operations);
  }

  make(number: number): HttpCase {
    const dice = new Dice(SEED, number, 7);
    const route = this.routeFor(dice);
    const method = dice.oneIn(40) ? dice.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) : route.method;
    const path = dice.oneIn(50) ? dice.pick(ELSEWHERE) : this.pathOf(dice, route.path);
    const query = dice.oneIn(4) ? `?${dice.oneIn(2) ? dice.pick(QUERIES) : mutateText(dice, dice.pick(QUERIES))}` : '';
    const target = targetText(path + query);
    const { type, body } = method === 'GET' && !dice.oneIn(50) ? NO_BODY : this.bodyFor(dice, route);
    const lines = [
      `${method} ${target} HTTP/1.1`,
      'Host: gateway',
      `Idempotency-Key: case-${number}`,
      ...this.credentialLines(dice, route),
      ...(type === null ? [] : [`Content-Type: ${dice.oneIn(20) ? valueText(mutateText(dice, type)) : type}`]),
      ...Array.from(
        { length: dice.oneIn(3) ? 1 + dice.int(3) : 0 },
        () => `${dice.pick(HEADERS)}: ${valueText(mutateText(dice, 'a, b;c=d'))}`,
      ),
    ];
    return { number, method, path: target, body, bytes: framed(dice, lines, body) };
  }

  private routeFor(dice: Dice): DeclaredRoute {
    for (;;) {
      const route = dice.pick(this.routes);
      // Hashing a password costs more than a thousand other requests.
      const isExpensive = /operators|password|session/.test(route.path) && route.method === 'POST';
      if (route.method !== 'HEAD' && (!isExpensive || dice.oneIn(8))) return route;
    }
  }

  private pathOf(dice: Dice, template: string): string {
    const filled = template.replace(/:(\w+)|\*/g, (_match, name?: string) => this.parameter(dice, template, name));
    return dice.oneIn(20) ? mutateText(dice, filled) : filled;
  }

  private parameter(dice: Dice, template: string, name: string | undefined): string {
    if (dice.oneIn(12)) return mutateText(dice, 'abc-123');
    if (name === undefined) return template.startsWith('/admin/models') ? 'acme-custom-1/probe' : 'acme-custom-1';
    return template.startsWith('/admin') ? dice.pick(this.cast.victims) : 'file-abc123';
  }

  private credentialLines(dice: Dice, { spec }: DeclaredRoute): string[] {
    const fitting = spec?.kind === 'admin' ? this.cast.adminKey : dice.pick(this.cast.callers);
    switch (dice.int(24)) {
      case 0:
        return [];
      case 1:
        return [`Authorization: ${valueText(mutateText(dice, `Bearer ${dice.pick(this.cast.victims)}`))}`];
      case 2:
        return [`Authorization: Bearer ${dice.oneIn(2) ? this.cast.adminKey : dice.pick(this.cast.callers)}`];
      default:
        return [`Authorization: Bearer ${fitting}`];
    }
  }

  private bodyFor(dice: Dice, route: DeclaredRoute): { type: string | null; body: Buffer } {
    const { spec } = route;
    const kind = spec?.kind === 'gateway' ? spec.body : spec?.kind === 'public' ? 'none' : 'json';
    if (kind === 'none' && !dice.oneIn(30)) return NO_BODY;
    if (kind === 'multipart' || kind === 'upload') {
      const form = dice.pick(FORMS);
      return {
        type: `multipart/form-data; boundary=${BOUNDARY}`,
        body: dice.oneIn(2) ? form : mutateBytes(dice, form),
      };
    }
    const json = this.jsonFor(dice, route);
    const bytes = Buffer.from(JSON.stringify(json));
    return { type: 'application/json', body: dice.oneIn(6) ? mutateBytes(dice, bytes) : bytes };
  }

  private jsonFor(dice: Dice, { method, path }: DeclaredRoute): unknown {
    const schema = this.schemas.get(`${method} ${path.replace(/:\w+/g, '*')}`);
    if (schema === undefined) return {};
    let corpus = this.corpora.get(schema);
    if (corpus === undefined) this.corpora.set(schema, (corpus = bodiesOf(this.document, schema, SEED)));
    const example = dice.pick(corpus) as Record<string, unknown>;
    const fitting =
      path.startsWith('/v1') && 'model' in example
        ? { ...example, model: dice.pick(MODELS[path] ?? ['gpt-4o-mini']) }
        : example;
    // Webhooks point to a closed local port, so that no delivery leaves the machine.
    const harmless =
      'url' in fitting && path.includes('webhooks')
        ? { ...fitting, url: mutateText(dice, 'http://127.0.0.1:1/') }
        : fitting;
    return dice.oneIn(3) ? harmless : 'url' in harmless ? harmless : mutateJson(dice, harmless);
  }
}

const NO_BODY = { type: null, body: Buffer.alloc(0) };
const FORMS = [
  formOf([file('file'), text('model', 'whisper-1'), text('language', 'en')]),
  formOf([text('model', 'dall-e-2'), text('prompt', 'a cat'), file('image', 'PNG', 'a.png')]),
  formOf([text('purpose', 'assistants'), file('file', 'x'.repeat(3_000), 'a.txt')]),
];

/** Replaces characters that would end the request line. Other cases mutate the bytes of whole requests. */
const targetText = (target: string): string => {
  const plain = target.replace(/[^\x21-\x7e]/g, '%20');
  return plain.startsWith('/') ? plain : `/${plain}`;
};
const valueText = (value: string): string => value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');

function framed(dice: Dice, lines: readonly string[], body: Buffer): Buffer {
  const head = (framing: string): Buffer =>
    Buffer.from(
      [...lines, framing, '', ''].filter((line, at) => at > lines.length || line !== '').join('\r\n'),
      'latin1',
    );
  if (body.length === 0) return head('');
  if (!dice.oneIn(8)) return Buffer.concat([head(`Content-Length: ${body.length}`), body]);
  const cut = dice.int(body.length);
  const chunks = [body.subarray(0, cut), body.subarray(cut)].filter((piece) => piece.length > 0);
  const parts = chunks.flatMap((piece) => [
    Buffer.from(`${piece.length.toString(16)}\r\n`),
    piece,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([head('Transfer-Encoding: chunked'), ...parts, Buffer.from('0\r\n\r\n')]);
}
