import { acceptInput } from '../../../src/platform/validation/nested-input.js';
import { InputPipe } from '../../../src/platform/validation/input.pipe.js';
import type { GatewayError } from '../../../src/platform/errors/gateway-error.js';
import { parse } from 'node:querystring';
import { beforeAll, describe } from '@jest/globals';
import { compileRules, type Dto } from '../../../src/platform/validation/body-rules.js';
import type { Document } from '../../support/openapi-document.js';
import { describeApplication, bodiesOf } from '../../support/application-description.js';
import type { Dice } from '../../fuzz/dice.js';
import { NESTED_BODIES, OPERATOR_BODIES, OPERATOR_QUERIES, PUBLIC_BODIES, PUBLIC_QUERIES } from './dtos.js';
import { fuzz, must, mustBeRefusal, SEED } from '../../fuzz/fuzz.js';
import { mutateJson, mutateText } from '../../fuzz/mutate.js';

let document: Document;
beforeAll(async () => {
  ({ document } = await describeApplication());
});

type Body = Readonly<Record<string, unknown>>;

interface Subject {
  readonly name: string;
  readonly Dto: Dto;
}
const subjectsOf = (bodies: Readonly<Record<string, Dto>>): readonly Subject[] =>
  Object.entries(bodies).map(([name, Dto]) => ({ name, Dto }));

interface Mutated {
  readonly subject: Subject;
  readonly body: unknown;
}

// An earlier stage rejects bodies that are not objects.
const isBody = (body: unknown): body is Body => typeof body === 'object' && body !== null && !Array.isArray(body);

const corpora = new Map<string, readonly object[]>();
function mutatedBody(dice: Dice, subjects: readonly Subject[]): Mutated {
  const subject = dice.pick(subjects);
  const { name } = subject;
  let corpus = corpora.get(name);
  if (corpus === undefined) corpora.set(name, (corpus = bodiesOf(document, name, SEED)));
  return { subject, body: mutateJson(dice, dice.pick(corpus)) };
}

const compiled = new Map(
  Object.values(PUBLIC_BODIES).map((Dto) => [
    Dto,
    { strict: compileRules(Dto), lenient: compileRules(Dto, { lenient: true }) },
  ]),
);

function judgedByRules({ subject: { Dto }, body }: Mutated): void {
  if (!isBody(body)) return;
  const { strict, lenient } = compiled.get(Dto)!;
  const before = JSON.stringify(body);
  const violation = strict(body);
  if (violation !== null) {
    mustBeRefusal(violation, 400);
    must(typeof violation.param === 'string', `${violation.code} names no field`);
  } else must(lenient(body) === null, 'the lenient rules reject a body that the strict ones accept');
  must(JSON.stringify(body) === before, 'the body was changed');
}

function refusalOf(read: () => object): GatewayError | null {
  try {
    read();
    return null;
  } catch (thrown) {
    mustBeRefusal(thrown, 400);
    return thrown;
  }
}

const pipes = new Map(Object.values(OPERATOR_BODIES).map((Dto) => [Dto, new InputPipe(Dto, { source: 'body' })]));

const PRICE_CONTEXT = { upstreams: ['default'], nowMs: Date.UTC(2026, 6, 1) };

function readBody(Dto: Dto, body: Body): object {
  const pipe = pipes.get(Dto);
  return pipe === undefined ? acceptInput(Dto, body)(PRICE_CONTEXT) : pipe.transform(body);
}

function judgedByReader({ subject: { Dto }, body }: Mutated): void {
  if (!isBody(body)) return;
  const before = JSON.stringify(body);
  const violation = refusalOf(() => readBody(Dto, body));
  if (violation !== null) {
    must(violation.code === 'validation_error', `${violation.code} is not an error of operator input`);
    must(typeof violation.param === 'string', `${violation.code} names no field`);
  }
  must(JSON.stringify(body) === before, 'the body was changed');
}

describe('fields of request bodies', () => {
  const subjects = subjectsOf(PUBLIC_BODIES);
  fuzz({
    holds: 'fields under /v1 are accepted, or rejected with a 400 that names one, and the body is not changed',
    share: 0.08,
    make: (dice) => mutatedBody(dice, subjects),
    check: judgedByRules,
  });

  const operators = subjectsOf({ ...OPERATOR_BODIES, ...NESTED_BODIES });
  fuzz({
    holds:
      'fields under /admin and /dashboard are accepted, or rejected with validation_error, and the body is not changed',
    share: 0.04,
    make: (dice) => mutatedBody(dice, operators),
    check: judgedByReader,
  });
});

describe('query parameters', () => {
  const QUERIES = [
    'limit=10&offset=5&sort_by=created_at&sort_dir=desc&since=2026-01-01&until=2026-02-01T00:00:00Z',
    'status=active&name=a&expired=true&limit=500',
    'key_id=5f0c2f7e-9d3b-4c1a-8e55-0a1b2c3d4e5f&model=x&endpoint=/v1/x&status=200&from=2026-01-01&to=2026-01-02',
    'search=gpt&provider=openai&category=chat&vision=true&enabled=false&availability=callable&daily_limit=3',
    '__proto__=1&constructor=2&toString=3&limit=1&limit=2&=&a[b]=c&a[]=d',
  ];
  const PIECES = [
    '&limit=0',
    '&limit=501',
    '&limit=1e2',
    '&offset=-1',
    '&since=x',
    '&sort_by=__proto__',
    '&a',
    '&=b',
    '&limit',
  ];
  const pipes = [
    ...PUBLIC_QUERIES.map((Dto) => new InputPipe(Dto, { source: 'query', edge: 'v1' })),
    ...OPERATOR_QUERIES.map((Dto) => new InputPipe(Dto, { source: 'query' })),
  ];
  fuzz({
    holds: 'a query is parsed into values of the right type, or rejected with a 400',
    share: 0.05,
    make: (dice) => ({
      pipe: dice.pick(pipes),
      text: mutateText(dice, dice.pick(QUERIES) + (dice.oneIn(3) ? dice.pick(PIECES) : '')),
    }),
    check: ({ pipe, text }) => {
      const read = () => pipe.transform(parse(text));
      if (refusalOf(read) !== null) return;
      const query = read();
      for (const [name, value] of Object.entries(query)) {
        must(typeof value !== 'number' || Number.isFinite(value), `${name} is not a number`);
        must(!(value instanceof Date) || !Number.isNaN(value.getTime()), `${name} is not a time`);
      }
    },
  });
});
