import { type Dto, readMetadata, compileRules } from '../../../../src/platform/validation/body-rules.js';
import { valuesOf } from '../../../support/schema-bodies.js';
import { FormFile } from '../../../../src/platform/validation/form-kinds.js';
import { describeApplication } from '../../../support/application-description.js';
import type { Schema } from '../../../../src/platform/validation/check.js';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import fc from 'fast-check';
import { fieldsOf } from '../../../../src/platform/request-context/context.decorator.js';
import { chatBodies } from '../../../support/chat-bodies.js';

type Body = Readonly<Record<string, unknown>>;

const DTOS = [
  'ChatCompletionRequest',
  'CompletionRequest',
  'EmbeddingRequest',
  'ImageEditRequest',
  'ImageGenerationRequest',
  'MessageRequest',
  'ModelIfAny',
  'ResponseRequest',
  'SpeechRequest',
  'TranscriptionRequest',
];

let dtos: ReadonlyMap<string, Dto>;
let schemas: Readonly<Record<string, Schema>>;
beforeAll(async () => {
  const { document, routes } = await describeApplication();
  dtos = new Map(routes.flatMap(({ handle }) => fieldsOf(handle) ?? []).map((Dto) => [Dto.name, Dto]));
  ({ schemas } = document.components);
});

test('this spec covers every body class under /v1', () => {
  expect([...dtos.keys()].sort()).toEqual(DTOS);
});

/** Values of every type, including empty ones, that are often invalid. */
const JUNK: readonly unknown[] = [
  null,
  '',
  ' ',
  'x',
  '0',
  '1.5',
  'true',
  0,
  -1,
  1.5,
  1e309,
  Number.NaN,
  true,
  false,
  [],
  [null],
  [''],
  {},
  { type: null },
  { type: 'text' },
  [['x']],
  [{}],
  'x'.repeat(201),
  new FormFile('a.png', 1),
];

function boundsOf(schema: Schema): unknown[] {
  const numbers = [schema.minimum, schema.maximum, schema.exclusiveMinimum] as (number | undefined)[];
  const lengths = [schema.minLength, schema.maxLength].map((length) => Math.min(Number(length ?? Number.NaN), 100_000));
  const sizes = [schema.minItems, schema.maxItems].map(Number).filter((size) => size < 3_000);
  const around = (bound: number | undefined) =>
    bound === undefined || Number.isNaN(bound) ? [] : [-1, 0, 1].map((by) => bound + by);
  return [
    ...numbers.flatMap(around).flatMap((number) => [number, String(number)]),
    ...lengths.flatMap(around).flatMap((length) => (length < 0 ? [] : ['x'.repeat(length), '🌍'.repeat(length)])),
    ...sizes.flatMap(around).flatMap((size) => (size < 0 ? [] : [Array.from({ length: size }, () => 'x')])),
    ...((schema.enum as unknown[] | undefined) ?? []),
    ...[schema.oneOf, schema.anyOf].flatMap((list) => ((list as Schema[] | undefined) ?? []).flatMap(boundsOf)),
  ];
}

/** Returns `value` with one field, at any depth, replaced or removed. */
function spoilt(value: unknown): fc.Arbitrary<unknown> {
  const whole = fc.constantFrom(...JUNK);
  if (typeof value !== 'object' || value === null || value instanceof FormFile) return whole;
  const members = Object.keys(value);
  if (members.length === 0) return whole;
  const inside = fc.constantFrom(...members).chain((name) =>
    fc.oneof(spoilt(Reflect.get(value, name)), fc.constant(undefined)).map((member) => {
      const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...value };
      if (member === undefined && !Array.isArray(copy)) Reflect.deleteProperty(copy, name);
      else Reflect.set(copy, name, member ?? null);
      return copy;
    }),
  );
  return fc.oneof(whole, { weight: 3, arbitrary: inside });
}

/** class-transformer drops `__proto__` and fails on a nested `constructor`. Nest's pipe removes both first. */
const isSafe = (body: Body): boolean => !/"(?:__proto__|constructor)"/.test(JSON.stringify(body));

const FORMS = ['ImageEditRequest', 'TranscriptionRequest'];
/** Replaces the schema of `ModelIfAny`, which the document does not contain. */
const MODEL_ALONE: Schema = { properties: { model: { type: 'string', maxLength: 200 } } };

/** A valid request, because random values are rarely valid. */
const EDIT: Body = { image: new FormFile('a.png', 10), prompt: 'Make it red' };

/** Converts a value for a form, which contains only text and files. */
function asFormValue(value: unknown): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(asFormValue);
  return typeof value === 'string' || value instanceof FormFile ? value : JSON.stringify(value);
}

function bodiesOf(name: string): fc.Arbitrary<Body> {
  const { properties } = (schemas[name] ?? MODEL_ALONE) as { properties: Readonly<Record<string, Schema>> };
  const isForm = FORMS.includes(name);
  const fields = readMetadata(dtos.get(name)!).fields.map((field) => {
    const property = properties[field.name] ?? {};
    const value = Object.keys(property).length === 0 ? fc.string() : valuesOf(property);
    const right = isForm ? value.map(asFormValue) : value;
    const wrong = fc.oneof(fc.constantFrom(undefined, ...JUNK, ...boundsOf(property)), right.chain(spoilt));
    return { name: field.name, right: field.required ? right : fc.option(right, { nil: undefined, freq: 1 }), wrong };
  });
  const made: fc.Arbitrary<Body> = fc.record(Object.fromEntries(fields.map(({ name, right }) => [name, right])));
  const valid = name === 'ImageEditRequest' ? fc.oneof(made, fc.constant(EDIT)) : made;
  const faults = fc.constantFrom(...fields).chain(({ name, wrong }) => fc.record({ [name]: wrong }));
  const some = fc.tuple(valid, fc.array(faults, { maxLength: 2 })).map(([body, wrong]) => {
    const given = Object.entries(Object.assign({}, body, ...wrong)).filter(([, value]) => value !== undefined);
    return Object.fromEntries(given);
  });
  return (name === 'ChatCompletionRequest' ? fc.oneof(some, chatBodies) : some).filter(isSafe);
}

describe.each(DTOS)('%s', (name) => {
  test(`the compiled rules and class-validator agree on every ${name}`, async () => {
    const Dto = dtos.get(name)!;
    const compiled = compileRules(Dto);
    let passed = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(bodiesOf(name), async (body) => {
        const errors = await validate(plainToInstance(Dto, body));
        const violation = compiled(body);
        expect([violation?.message ?? null, errors.length === 0]).toEqual([
          violation?.message ?? null,
          violation === null,
        ]);
        if (violation === null) return void passed++;
        refused++;
        expect(errors.flatMap(({ constraints = {} }) => Object.values(constraints))).toContain(violation.message);
      }),
      { numRuns: 500 },
    );
    expect([passed, refused].map((count) => count > 5)).toEqual([true, true]);
  });
});
