import { parse } from 'node:querystring';
import { beforeAll, describe } from 'vitest';
import { compileQuery } from '../../src/validation/compile-query.js';
import { compileRules, type BodyOptions, type BodyRules } from '../../src/validation/compile-rules.js';
import type { Dto } from '../../src/validation/dto-metadata.js';
import type { Document } from '../support/openapi-document.js';
import { describeApplication, bodiesOf } from './description.js';
import type { Dice } from './dice.js';
import { OPERATOR_BODIES, OPERATOR_QUERIES, PUBLIC_BODIES, PUBLIC_QUERIES } from './dtos.js';
import { fuzz, must, mustBeRefusal, readOrRefused, SEED } from './fuzz.js';
import { mutateJson, mutateText } from './mutate.js';

/** Every body and query that the application reads, made from its own description and then spoilt. */
const PUBLIC: BodyOptions = { unknownFields: 'pass', nullIsAbsent: true };
const OPERATOR: BodyOptions = { unknownFields: 'refuse', nullIsAbsent: false, code: 'validation_error' };

let document: Document;
beforeAll(async () => {
  ({ document } = await describeApplication());
});

interface Subject {
  readonly name: string;
  readonly strict: BodyRules;
  readonly lenient: BodyRules;
}
const subjectsOf = (bodies: Readonly<Record<string, Dto>>, options: BodyOptions): readonly Subject[] =>
  Object.entries(bodies).map(([name, Dto]) => ({
    ...{ name, strict: compileRules(Dto, options), lenient: compileRules(Dto, { ...options, lenient: true }) },
  }));

interface Spoilt {
  readonly subject: Subject;
  readonly body: unknown;
}

const corpora = new Map<string, readonly object[]>();
function spoiltBody(dice: Dice, subjects: readonly Subject[]): Spoilt {
  const subject = dice.pick(subjects);
  const { name } = subject;
  let corpus = corpora.get(name);
  if (corpus === undefined) corpora.set(name, (corpus = bodiesOf(document, name, SEED)));
  return { subject, body: mutateJson(dice, dice.pick(corpus)) };
}

function judged({ subject: { strict, lenient }, body }: Spoilt): void {
  // What is no object was refused before.
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const before = JSON.stringify(body);
  const violation = strict(body as Record<string, unknown>);
  if (violation !== null) {
    mustBeRefusal(violation, 400);
    must(typeof violation.param === 'string', `${violation.code} names no field`);
  } else must(lenient(body as Record<string, unknown>) === null, 'what strict lets pass, lenient refuses');
  must(JSON.stringify(body) === before, 'the body was changed');
}

describe('fields of a body', () => {
  const subjects = subjectsOf(PUBLIC_BODIES, PUBLIC);
  fuzz({
    holds: 'under /v1 pass or are a 400 that names one; the body stays as it was',
    share: 0.08,
    make: (dice) => spoiltBody(dice, subjects),
    check: judged,
  });

  const operators = subjectsOf(OPERATOR_BODIES, OPERATOR);
  fuzz({
    holds: 'under /admin and /dashboard likewise, with the one code for it',
    share: 0.04,
    make: (dice) => spoiltBody(dice, operators),
    check: (spoilt) => {
      judged(spoilt);
      const { body } = spoilt;
      if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
      const code = spoilt.subject.strict(body as Record<string, unknown>)?.code ?? 'validation_error';
      must(code === 'validation_error', `${code} is not of the Admin API`);
    },
  });
});

describe('a query', () => {
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
  const readers = [
    ...PUBLIC_QUERIES.map((Dto) => compileQuery(Dto, { unknownParameters: 'pass' })),
    ...OPERATOR_QUERIES.map((Dto) => compileQuery(Dto)),
  ];
  fuzz({
    holds: 'is read into values of the right kind, or is a 400 that names a parameter',
    share: 0.05,
    make: (dice) => ({
      read: dice.pick(readers),
      text: mutateText(dice, dice.pick(QUERIES) + (dice.oneIn(3) ? dice.pick(PIECES) : '')),
    }),
    check: ({ read, text }) => {
      const query = readOrRefused(() => read(parse(text)), 400);
      if (query === null) return;
      for (const [name, value] of Object.entries(query)) {
        must(typeof value !== 'number' || Number.isFinite(value), `${name} is no number`);
        must(!(value instanceof Date) || !Number.isNaN(value.getTime()), `${name} is no time`);
      }
    },
  });
});
