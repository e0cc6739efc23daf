import { getMetadataStorage } from 'class-validator';
import type { GatewayError } from '../errors/gateway-error.js';
import { UUID } from './characters.js';
import type { JsonObject, Kind, Schema } from './check.js';
import { arrayOf } from './compound-kinds.js';
import { boolean, integer, oneOf, string, timestamp } from './scalar-kinds.js';

/** The value that a rule judges, and what is around it. */
export interface Place {
  /** The path of the value, such as `prices[3].tiers[0].above`. */
  readonly param: string;
  readonly input: JsonObject;
  /** The item before `input`, if `input` is in a list. */
  readonly before?: JsonObject;
  /** Values that rules need and the input does not have. */
  readonly context?: unknown;
}

/** Judges one value. Returns null if it is valid, and never throws. The other fields of `place.input` can be invalid. */
export type InputCheck = (value: unknown, place: Place) => GatewayError | null;

export const metadataOf = (Dto: Function) => getMetadataStorage().getTargetValidationMetadatas(Dto, '', true, false);

export type Metadata = ReturnType<typeof metadataOf>;

export function readRules(Dto: Function, property: string): { schema: Schema; required: boolean; nullable: boolean } {
  const rules = metadataOf(Dto).filter(({ propertyName }) => propertyName === property);
  const accepts = (value: unknown) =>
    rules.some(({ type, constraints }) => {
      const applies = constraints?.[0] as (input: object, value: unknown) => boolean;
      return type === 'conditionalValidation' && !applies({ [property]: value }, value);
    });
  return { schema: schemaOf(rules), required: !accepts(undefined), nullable: accepts(null) };
}

function schemaOf(rules: Metadata): Schema {
  const stated = rules.flatMap(({ name, constraints }) => (name === 'checkedBy' ? (constraints[1] as Schema) : []));
  const standard = rules.some(({ name }) => STANDARD_RULES.has(name ?? '')) ? kindOf(rules).schema : {};
  const nested = rules.find(({ name }) => name === 'isNested');
  if (nested === undefined) return Object.assign({}, standard, ...stated) as Schema;
  const { minItems, maxItems } = standard;
  return { minItems, maxItems, type: nested.constraints[0], isArray: nested.each };
}

/** The rules from which `kindOf` knows the JSON type. */
const STANDARD_RULES: ReadonlySet<string> = new Set([
  'isArray',
  'isString',
  'isIn',
  'isInt',
  'isBoolean',
  'isTimestamp',
  'isUuid',
  'matches',
]);

/** Returns the kind of value that the standard rules describe. */
export function kindOf(rules: Metadata): Kind {
  const ruleOf = (name: string) => rules.find((rule) => rule.name === name);
  const argumentOf = (name: string, at = 0) => (ruleOf(name)?.constraints as number[] | undefined)?.[at];
  if (ruleOf('isArray') !== undefined) {
    const items = kindOf(rules.filter(({ each }) => each));
    const list = arrayOf(items, { min: argumentOf('arrayMinSize'), max: argumentOf('arrayMaxSize') });
    const unique = ruleOf('arrayUnique') !== undefined && { uniqueItems: true };
    return { check: list.check, schema: { ...list.schema, ...unique } };
  }
  if (ruleOf('isIn') !== undefined) return oneOf(...(ruleOf('isIn')!.constraints[0] as string[]));
  if (ruleOf('isInt') !== undefined) return integer({ min: argumentOf('min'), max: argumentOf('max') });
  if (ruleOf('isBoolean') !== undefined) return boolean();
  if (ruleOf('isTimestamp') !== undefined) return timestamp();
  if (ruleOf('isUuid') !== undefined) return string({ pattern: UUID, expected: 'a UUID' });
  const { constraints, message } = ruleOf('matches') ?? {};
  return string({
    min: argumentOf('hasLength'),
    max: argumentOf('hasLength', 1),
    stored: ruleOf('isStorable') !== undefined,
    pattern: constraints?.[0] as RegExp | undefined,
    expected: message as string | undefined,
  });
}
