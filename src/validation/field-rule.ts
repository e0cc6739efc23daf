import { invalidValue, missingRequiredParameter } from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';
import type { Check, JsonObject, Mode } from './check.js';

/** What a field decorator says of one member of a body: read by class-validator and by `compileRules` alike. */
export interface FieldRule {
  readonly name: string;
  readonly check: Check;
  /** Left out it is `missing_required_parameter`, null is judged like any other wrong type. */
  readonly required: boolean;
  /** Null is a value of its own, allowed. */
  readonly nullable: boolean;
  /** The field is required where this holds: one made necessary by another (D30). */
  readonly requiredIf?: (body: JsonObject) => boolean;
  /** Members and the values they must have for this field to be there; else it is `invalid_value` itself (D30). */
  readonly onlyWith?: Readonly<Record<string, string | number | boolean>>;
  /** The gateway itself reads this field, and whether it can do without it: see `FieldOptions`. */
  readonly readByGateway?: 'required' | 'optional';
}

/** How a whole body is read. */
export interface Reading extends Mode {
  /** Null for an optional field is that field left out (D30); else it has to be `nullable`. */
  readonly nullIsAbsent: boolean;
}

/** The violation of `rule` by its member of `body`, which may be absent. */
export function judgeField(rule: FieldRule, body: JsonObject, reading: Reading): GatewayError | null {
  const value = Object.hasOwn(body, rule.name) ? body[rule.name] : undefined;
  if (value === null && rule.nullable) return null;
  if (value === undefined || (value === null && reading.nullIsAbsent)) {
    const required = rule.required || rule.requiredIf?.(body) === true;
    if (!required) return null;
    if (value === undefined) return missingRequiredParameter(rule.name);
  }
  return rule.check(value, rule.name, reading) ?? judgeCompanions(rule, body);
}

function judgeCompanions({ name, onlyWith }: FieldRule, body: JsonObject): GatewayError | null {
  if (onlyWith === undefined) return null;
  for (const [other, wanted] of Object.entries(onlyWith))
    if (!Object.hasOwn(body, other) || body[other] !== wanted)
      return invalidValue(name, `left out unless '${other}' is ${String(wanted)}`);
  return null;
}
