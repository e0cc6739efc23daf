import type { Field, ObjectShape, Shape } from './sdk-types.js';

/** A value with one place that differs from the smallest valid value. */
export interface Variant {
  /** The place, for example `tools[]<FunctionTool>.strict`, then `=` and a short form of its value. */
  readonly at: string;
  readonly value: unknown;
}

export interface VariantOptions {
  /** Nested objects below this depth appear in their smallest form only. */
  readonly depth: number;
  readonly text?: (field: string) => string;
  readonly number?: (field: string) => number;
  readonly file?: () => unknown;
}

const NUMBER = /-?\d+(?:\.\d+)?/g;
/** Nesting stops at this depth, so that the smallest value of a recursive type is finite. */
const SMALLEST_DEPTH_MAX = 12;

/**
 * Builds one value for each difference that a type allows. Differences are union members, literals, optional fields, empty
 * and filled arrays, and the extremes of numbers that the documentation names.
 */
export class Variants {
  private readonly text: (field: string) => string;
  private readonly file: () => unknown;

  constructor(private readonly options: VariantOptions) {
    this.text = options.text ?? ((field) => (field.endsWith('url') ? 'https://example.com/a' : 'text'));
    this.file = options.file ?? (() => 'file');
  }

  /** Returns the smallest value: only required fields, the plainest union member, and one item in each array. */
  smallest(shape: Shape, field = '', depth = 0): unknown {
    switch (shape.kind) {
      case 'literal':
        return shape.value;
      case 'string':
        return this.text(field);
      case 'number':
        return this.options.number?.(field) ?? 1;
      case 'any':
        return {};
      case 'file':
        return this.file();
      case 'map':
        return {};
      case 'array':
        return depth > SMALLEST_DEPTH_MAX ? [] : [this.smallest(shape.items, field, depth + 1)];
      case 'union':
        return this.smallest(plainest(shape.members), field, depth);
      case 'object':
        return this.object(shape, depth);
      default:
        return shape satisfies never;
    }
  }

  *of(shape: Shape, field?: Field, depth = 0): Generator<Variant> {
    switch (shape.kind) {
      case 'literal':
      case 'string':
      case 'any':
      case 'file':
        yield this.leaf(this.smallest(shape, field?.name));
        return;
      case 'number':
        for (const value of extremes(field?.doc ?? '')) yield this.leaf(value);
        return;
      case 'map':
        yield { at: '={}', value: {} };
        for (const { at, value } of this.of(shape.values, field, depth)) yield { at: `{}${at}`, value: { key: value } };
        return;
      case 'array':
        yield { at: '=[]', value: [] };
        for (const { at, value } of this.of(shape.items, field, depth)) yield { at: `[]${at}`, value: [value] };
        return;
      case 'union':
        for (const member of shape.members) yield* this.of(member, field, depth);
        return;
      case 'object':
        yield* this.ofObject(shape, depth);
        return;
      default:
        shape satisfies never;
    }
  }

  private *ofObject(shape: ObjectShape, depth: number): Generator<Variant> {
    const smallest = this.object(shape, 0);
    const name = depth === 0 ? '' : `<${shape.name}>`;
    yield { at: `${name}={…}`, value: smallest };
    if (depth > this.options.depth) return;
    for (const field of shape.fields)
      for (const { at, value } of this.of(field.shape, field, depth + 1))
        yield { at: `${name}.${field.name}${at}`, value: { ...smallest, [field.name]: value } };
  }

  private object({ fields }: ObjectShape, depth: number): Record<string, unknown> {
    if (depth > SMALLEST_DEPTH_MAX) return {};
    const required = fields.filter(({ optional }) => !optional);
    return Object.fromEntries(required.map(({ name, shape }) => [name, this.smallest(shape, name, depth + 1)]));
  }

  private leaf(value: unknown): Variant {
    return { at: `=${JSON.stringify(value)}`, value };
  }
}

/** Prefers a string, then a literal, and uses null only if there is no other member. This keeps bodies small. */
function plainest(members: readonly Shape[]): Shape {
  const present = members.filter((member) => member.kind !== 'literal' || member.value !== null);
  const [best] = ['string', 'literal'].flatMap((kind) => present.find((member) => member.kind === kind) ?? []);
  return best ?? present[0] ?? members[0] ?? { kind: 'any' };
}

/** Returns zero, one, and the numbers in sentences about bounds in the documentation. */
function extremes(doc: string): Set<number> {
  const bounds = doc
    .split(/\.\s/)
    .filter((sentence) => /between|minimum|maximum|max|min|at (?:least|most)|up to|range/i.test(sentence));
  return new Set([0, 1, ...bounds.flatMap((sentence) => sentence.match(NUMBER) ?? []).map(Number)]);
}
