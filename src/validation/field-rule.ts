import { getMetadataStorage } from 'class-validator';
import { invalidValue, missingRequiredParameter } from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';
import type { Check, JsonObject, Mode } from './check.js';
import type { Rule } from './rules.decorator.js';

/** A class with field decorators. */
export type Dto<T extends object = object> = new () => T;

/** The rule of a field decorator for one member of a body. class-validator and `compileRules` both read it. */
export interface FieldRule {
  readonly name: string;
  readonly check: Check;
  /** Left out it is `missing_required_parameter`, null is judged like any other wrong type. */
  readonly required: boolean;
  /** The field is required where this holds: one made necessary by another (D30). */
  readonly requiredIf?: (body: JsonObject) => boolean;
  /** Members and the values they must have for this field to be there; else it is `invalid_value` itself (D30). */
  readonly onlyWith?: Readonly<Record<string, string | number | boolean>>;
  /** The gateway itself reads this field, and whether it can do without it: see `FieldOptions`. */
  readonly readByGateway?: 'required' | 'optional';
}

/**
 * The field rules and class rules that the decorators of `Dto` registered with class-validator, its own before inherited ones,
 * each in declared order. Throws for a class without any: it was never decorated.
 */
export function readMetadata(Dto: Dto): { fields: FieldRule[]; rules: Rule<object>[] } {
  const all = getMetadataStorage().getTargetValidationMetadatas(Dto, '', true, false);
  const fields = all.filter(({ name }) => name === 'field').map(({ constraints }) => constraints[0] as FieldRule);
  const rules = all
    .filter(({ name }) => name === 'rules')
    .flatMap(({ constraints }) => constraints[0] as Rule<object>[]);
  if (fields.length === 0) throw new Error(`${Dto.name} has no decorated field`);
  return { fields, rules };
}

/** The violation of `rule` by its member of `body`, which can be absent. Null for an optional field is the field left out (D30). */
export function judgeField(rule: FieldRule, body: JsonObject, mode: Mode): GatewayError | null {
  const value = Object.hasOwn(body, rule.name) ? body[rule.name] : undefined;
  if (value === undefined || value === null) {
    if (!rule.required && rule.requiredIf?.(body) !== true) return null;
    if (value === undefined) return missingRequiredParameter(rule.name);
  }
  return rule.check(value, rule.name, mode) ?? judgeCompanions(rule, body);
}

function judgeCompanions({ name, onlyWith }: FieldRule, body: JsonObject): GatewayError | null {
  if (onlyWith === undefined) return null;
  for (const [other, wanted] of Object.entries(onlyWith))
    if (!Object.hasOwn(body, other) || body[other] !== wanted)
      return invalidValue(name, `left out unless '${other}' is ${String(wanted)}`);
  return null;
}
