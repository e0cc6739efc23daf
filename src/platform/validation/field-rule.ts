import { getMetadataStorage } from 'class-validator';
import { invalidValue, missingRequiredParameter } from '../errors/error-factories.js';
import type { GatewayError } from '../errors/gateway-error.js';
import type { Check, JsonObject, Mode } from './check.js';
import type { Rule } from './rules.decorator.js';

export type Dto<T extends object = object> = new () => T;

/** class-validator and `compileRules` both read it. */
export interface FieldRule {
  readonly name: string;
  readonly check: Check;
  /** An absent field is `missing_required_parameter`; null goes to `check`. */
  readonly required: boolean;
  /** Makes the field required if another field needs it (D30). */
  readonly requiredIf?: (body: JsonObject) => boolean;
  /** Values that other fields must have. Otherwise this field is `invalid_value` (D30). */
  readonly onlyWith?: Readonly<Record<string, string | number | boolean>>;
  readonly readByGateway?: 'required' | 'optional';
}

export function readMetadata(Dto: Dto): { fields: FieldRule[]; rules: Rule<object>[] } {
  const all = getMetadataStorage().getTargetValidationMetadatas(Dto, '', true, false);
  const fields = all.filter(({ name }) => name === 'field').map(({ constraints }) => constraints[0] as FieldRule);
  const rules = all
    .filter(({ name }) => name === 'rules')
    .flatMap(({ constraints }) => constraints[0] as Rule<object>[]);
  if (fields.length === 0) throw new Error(`${Dto.name} has no decorated field`);
  return { fields, rules };
}

/** `null` in an optional field counts as absent (D30). */
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
      return invalidValue(name, `omitted unless '${other}' is ${String(wanted)}`);
  return null;
}
