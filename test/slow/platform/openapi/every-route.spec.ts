import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { FormFile } from '../../../../src/platform/validation/form-kinds.js';
import { ADMIN_KEY, type TestGateway, type Response } from '../../../support/gateway.js';
import { BOUNDARY, file, formOf, text } from '../../../support/multipart-forms.js';
import {
  documentOf,
  operationsOf,
  type Document,
  type Operation,
  type Schema,
} from '../../../support/openapi-document.js';
import { OperatorSession } from '../../../support/operator-session.js';
import { PROFILES, startSandboxGateway, type SandboxGateway } from '../../../support/sandbox-gateway.js';
import { inlined, valuesOf } from '../../../support/schema-bodies.js';
import { broken } from './broken-bodies.js';

const SEED = 51;
const REQUESTS = { valid: 6, invalid: 6 };
/** Objects are created before they are read, and deleted last. */
const ORDER = ['POST', 'PUT', 'GET', 'HEAD', 'PATCH', 'DELETE'];
/** Bodies for routes that reject a body with the documented examples of all fields, because some fields exclude each other. */
const EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'POST /admin/limits': { scope: 'account', measure: 'requests', period: 'month', amount: 1_000_000 },
  'POST /admin/prices': { model: 'acme-1', prices: { input: '2.50', output: '5' } },
};
const EVERYTHING = { GW_ROUTES: 'all', GW_UNBILLED_ROUTES: 'batches,fine_tuning' };

interface Request {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

describe.each(PROFILES)('with GW_PROFILE=%s', (profile) => {
  let running: SandboxGateway;
  let gateway: TestGateway;
  let document: Document;
  let credentials: Readonly<Record<string, Readonly<Record<string, string>>>>;

  beforeAll(async () => {
    running = await startSandboxGateway({ ...EVERYTHING, GW_PROFILE: profile });
    gateway = running.gateway;
    document = await documentOf(gateway);
    const { cookie, csrfToken } = await OperatorSession.of(gateway, 'owner');
    credentials = {
      api_key: { authorization: `Bearer ${running.key.key}` },
      admin_key: { authorization: `Bearer ${ADMIN_KEY}` },
      session_cookie: { cookie, 'x-csrf-token': csrfToken },
    };
  });
  afterAll(() => running.stop());

  test('every response to a valid or invalid request is documented', async () => {
    const [judge, requests] = [new ResponseJudge(document), new Requests(document, credentials)];
    const problems = new Set<string>();
    const successful = new Set<string>();
    for (const [name, operation] of inOrder(operationsOf(document))) {
      for (const request of requests.of(name, operation)) {
        const method = name.split(' ')[0]!;
        const response = await gateway.call(method, request.path, request);
        requests.remember(name, response);
        if (response.status < 300) successful.add(name);
        const problem = judge.problemOf(operation, response);
        if (problem !== null) problems.add(`${name}: ${problem}, after ${request.path} ${String(request.body)}`);
      }
    }
    expect([...problems]).toEqual([]);
    // Most of the others need objects that no request creates.
    expect(successful.size).toBeGreaterThan(operationsOf(document).size / 2);
  }, 3_600_000);
});

function inOrder(operations: ReadonlyMap<string, Operation>): [string, Operation][] {
  const rank = ([name]: [string, Operation]) => ORDER.indexOf(name.split(' ')[0]!);
  return [...operations].sort((a, b) => rank(a) - rank(b));
}

/** Checks responses against the document: status, content type and body. */
class ResponseJudge {
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false });
  private readonly compiled = new Map<Schema, ValidateFunction>();

  constructor(private readonly document: Document) {}

  problemOf({ responses }: Operation, { status, headers, text: body }: Response): string | null {
    const documented = responses[status];
    if (status === 500 || documented === undefined) return `status ${status} ${body.slice(0, 300)}`;
    const { content } = documented;
    const type = headers.get('content-type')?.split(';')[0];
    if (content === undefined) return body === '' ? null : `${status} has an undocumented body`;
    if (body === '' && type === undefined) return Object.keys(content).length === 0 ? null : `${status} has no body`;
    const media = content[type ?? ''];
    if (media === undefined) return `${status} has the content type ${type}`;
    if (type !== 'application/json') return null;
    const validate = this.validatorOf(media.schema);
    if (validate(JSON.parse(body))) return null;
    return `${status} has another body: ${this.ajv.errorsText(validate.errors)} in ${body.slice(0, 300)}`;
  }

  private validatorOf(schema: Schema): ValidateFunction {
    let validate = this.compiled.get(schema);
    if (validate === undefined) {
      validate = this.ajv.compile({ ...schema, components: this.document.components });
      this.compiled.set(schema, validate);
    }
    return validate;
  }
}

/** Generates the requests of each operation from its parameters, body and credentials. */
class Requests {
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false });
  /** IDs of created objects by the path that created them. */
  private readonly created = new Map<string, string[]>();

  constructor(
    private readonly document: Document,
    private readonly credentials: Readonly<Record<string, Readonly<Record<string, string>>>>,
  ) {}

  *of(name: string, operation: Operation): Generator<Request> {
    const [method, template] = name.split(' ') as [string, string];
    const schemes = operation.security.flatMap((one) => Object.keys(one)).filter((one) => one in this.credentials);
    const allowed = this.credentials[schemes[0] ?? ''] ?? {};
    const body = this.bodiesOf(name, operation);
    const path = { known: this.pathOf(template), query: this.queriesOf(operation) };
    yield { path: path.known, headers: {} };
    yield { path: path.known, headers: { authorization: 'Bearer unknown' } };
    yield { path: template.replace(/\{\w+\}/g, '%00x'), headers: allowed };
    yield { path: `${path.known}?x_unknown=1`, headers: allowed };
    if (operation.requestBody !== undefined) {
      yield { path: path.known, headers: allowed };
      yield { path: path.known, headers: { ...allowed, 'content-type': 'application/json' }, body: '{"a":' };
      yield { path: path.known, headers: { ...allowed, 'content-type': 'text/plain' }, body: 'a' };
    }
    const count = REQUESTS.valid + REQUESTS.invalid;
    for (let at = 0; at < count; at++) {
      const query = path.query[at % Math.max(1, path.query.length)] ?? '';
      const sent = method === 'GET' || method === 'HEAD' ? undefined : body[at % Math.max(1, body.length)];
      yield {
        path: `${this.pathOf(template)}${query}`,
        headers: { ...allowed, ...(sent !== undefined && { 'content-type': sent.type }) },
        ...(sent !== undefined && { body: sent.body }),
      };
    }
  }

  remember(name: string, { status, body }: Response): void {
    const [method, template] = name.split(' ') as [string, string];
    const id: unknown = body.id;
    if (method !== 'POST' || status >= 300 || (typeof id !== 'string' && typeof id !== 'number')) return;
    this.created.set(template, [...(this.created.get(template) ?? []), String(id)]);
  }

  /** Fills in the IDs of the last created objects. Without one, it uses an ID that neither the gateway nor the provider has. */
  private pathOf(template: string): string {
    return template.replace(/\{(\w+)\}/g, (hole, name: string, at: number) => {
      const collection = template.slice(0, at - 1);
      if (name === 'model') return 'gpt-4o-mini';
      const unknown = template.startsWith('/admin/') ? '0198c0de-0000-7000-8000-000000000000' : 'unknown-1';
      return this.created.get(collection)?.at(-1) ?? (hole === '{name}' ? 'default' : unknown);
    });
  }

  private queriesOf({ parameters = [] }: Operation): string[] {
    const inQuery = parameters.filter((parameter) => parameter.in === 'query');
    if (inQuery.length === 0) return [];
    const values = inQuery.map(({ name, schema }) => [name, fc.option(valuesOf(schema), { freq: 1 })] as const);
    const valid = this.sample(fc.record(Object.fromEntries(values)), REQUESTS.valid);
    const invalid = valid.map((query, at) => {
      const { name } = inQuery[at % inQuery.length]!;
      return { ...query, [name]: ['', 'x y', '-1', '99999999999', '2026-02-30', '\0'][at % 6] };
    });
    return [...valid, ...invalid].map((query) => {
      const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
      return `?${new URLSearchParams(given.map(([name, value]) => [name, [value].flat().join(',')])).toString()}`;
    });
  }

  private bodiesOf(
    name: string,
    { requestBody }: Operation,
  ): { readonly type: string; readonly body: string | Buffer }[] {
    return Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema, examples = {} }]) => {
      const full = inlined(schema, this.document.components.schemas);
      const shown = Object.values(examples).map(({ value }) => value as Record<string, unknown>);
      const example = exampleOf(full, name);
      const random = this.sample(valuesOf(full), REQUESTS.valid) as Record<string, unknown>[];
      const valid = [
        example,
        ...shown,
        ...random.map((one, at) => (at % 2 === 0 ? { ...one, ...modelOf(example) } : one)),
      ];
      const judge = (part: Schema, value: unknown) => this.ajv.compile(part)(value);
      const invalid = valid.flatMap((one) => [...broken(full, one, judge)].slice(0, 200)).map(({ body }) => body);
      const picked = this.sample(fc.constantFrom(...(invalid.length === 0 ? [null] : invalid)), REQUESTS.invalid);
      return [...valid, ...picked].map((body) =>
        type === 'multipart/form-data'
          ? { type: `${type}; boundary=${BOUNDARY}`, body: formFrom(body) }
          : { type, body: JSON.stringify(body) },
      );
    });
  }

  private sample<T>(values: fc.Arbitrary<T>, count: number): T[] {
    return fc.sample(values, { numRuns: count, seed: SEED });
  }
}

/** A body of the documented examples, with a model and a file if the route takes them. */
function exampleOf({ properties = {} }: Schema, name: string): Record<string, unknown> {
  if (EXAMPLES[name] !== undefined) return EXAMPLES[name];
  const fields = Object.entries(properties as Record<string, Schema>).flatMap(([field, { example, format }]) => {
    if (format === 'binary') return field === 'mask' ? [] : [[field, new FormFile('a.bin', 3)]];
    if (example !== undefined) return [[field, example]];
    return field === 'model' ? [[field, modelFor(name)]] : [];
  });
  return Object.fromEntries(fields) as Record<string, unknown>;
}

function modelFor(name: string): string {
  if (name.includes('/v1/messages/')) return 'claude-3-haiku-20240307';
  if (name.includes('/audio/')) return 'whisper-1';
  return name.includes('/images/') ? 'dall-e-2' : 'gpt-4o-mini';
}

const modelOf = ({ model }: Record<string, unknown>): object => (model === undefined ? {} : { model });

function formFrom(body: unknown): Buffer {
  const fields = Object.entries((body ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as const),
  );
  return formOf(
    fields.map(([name, value]) =>
      value instanceof FormFile || name === 'file'
        ? file(name)
        : text(name, typeof value === 'string' ? value : JSON.stringify(value)),
    ),
  );
}
