import { unsupportedParameter, validationError } from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';
import type { JsonObject } from './check.js';
import { readMetadata, type Dto } from './dto-metadata.js';
import { judgeField, type FieldRule, type Reading } from './field-rule.js';
import { firstOf } from './rules.decorator.js';

export interface BodyOptions {
  /** Members that the class does not name: forwarded as they are (/v1), or refused (/admin, D16). */
  readonly unknownFields: 'pass' | 'refuse';
  readonly nullIsAbsent: boolean;
  /** One code for every violation, `param` being the member itself and never a path below it (D16). */
  readonly code?: 'validation_error';
  readonly lenient?: boolean;
  readonly anyTool?: boolean;
  /** Checks only the fields that the gateway itself reads. The provider checks the others, and the rules of the class. */
  readonly onlyReadByGateway?: boolean;
}

/** The first violation of a body in the order of the class, or null. Bodies are never changed. */
export type BodyRules = (body: JsonObject) => GatewayError | null;

/**
 * The rules of a decorated class as one function, made once at start: class-validator's own `validate()` costs a
 * hundred times as much. A right body costs a look-up a member; a wrong one is walked again in the class's order.
 */
export function compileRules(Dto: Dto, options: BodyOptions): BodyRules {
  const { fields, rules } = options.onlyReadByGateway === true ? rulesForGateway(Dto) : readMetadata<FieldRule>(Dto);
  const { nullIsAbsent, lenient = false, anyTool = false } = options;
  const reading: Reading = { nullIsAbsent, lenient, anyTool };
  const refuseUnknown = options.unknownFields === 'refuse';
  // A Map, not an object: a member may be called `__proto__` or `constructor`.
  const byName = new Map(fields.map((field) => [field.name, field]));
  const requiredCount = fields.filter((field) => field.required).length;
  const needable = fields.filter((field) => field.requiredIf !== undefined);

  const fieldsPass = (body: JsonObject): boolean => {
    let requiredSeen = 0;
    for (const name of Object.keys(body)) {
      const field = byName.get(name);
      if (field === undefined) {
        if (refuseUnknown) return false;
      } else {
        if (judgeField(field, body, reading) !== null) return false;
        if (field.required) requiredSeen++;
      }
    }
    return requiredSeen === requiredCount && needable.every((field) => judgeField(field, body, reading) === null);
  };

  const inOrder = [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)];
  const firstViolation = (body: JsonObject): GatewayError | null => {
    for (const field of inOrder) {
      const violation = judgeField(field, body, reading);
      if (violation !== null) return violation;
    }
    const unknown = refuseUnknown ? Object.keys(body).find((name) => !byName.has(name)) : undefined;
    return unknown === undefined ? null : unsupportedParameter(unknown);
  };

  const judge: BodyRules = (body) => (fieldsPass(body) ? firstOf(rules, body, reading) : firstViolation(body));
  if (options.code === undefined) return judge;
  return (body) => {
    const violation = judge(body);
    return violation === null ? null : asValidationError(violation, fields);
  };
}

function rulesForGateway(Dto: Dto): ReturnType<typeof readMetadata<FieldRule>> {
  const fields = readMetadata<FieldRule>(Dto).fields.filter(({ readByGateway }) => readByGateway !== undefined);
  const needed = ({ name, check, nullable, readByGateway }: FieldRule): FieldRule => ({
    ...{ name, check, nullable, readByGateway },
    required: readByGateway === 'required',
  });
  return { fields: fields.map(needed), rules: [] };
}

/** The violation as the admin API tells it. `fields` tell where the name of the member ends in a path. */
function asValidationError({ param, message }: GatewayError, fields: readonly FieldRule[]): GatewayError {
  if (param === null) return validationError(null, message);
  const member = fields.find(({ name }) => param.startsWith(`${name}.`) || param.startsWith(`${name}[`));
  return validationError(member?.name ?? param, message);
}
