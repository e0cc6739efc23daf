import { registerDecorator, type ValidationArguments } from 'class-validator';
import type { GatewayError } from '../errors/gateway-error.js';
import type { Mode } from './check.js';

/** Checks a whole body or query after its fields have passed. Returns null if it is valid, and never throws. */
export type Rule<T extends object> = (body: T, mode: Mode) => GatewayError | null;

/** Adds rules about several fields, or about the model, to a class. They run after the field checks, in the given order. */
export const Rules =
  <T extends object>(...rules: Rule<T>[]): ((target: new () => T) => void) =>
  (target) => {
    const judge = (body: object) => firstOf(rules, body as T, { lenient: false });
    registerDecorator({
      name: 'rules',
      target,
      // Contains the class name, so that the rules of a subclass do not replace those of its parent.
      propertyName: `(rules of ${target.name})`,
      constraints: [rules],
      validator: {
        validate: (_value: unknown, args?: ValidationArguments) => args !== undefined && judge(args.object) === null,
        defaultMessage: (args?: ValidationArguments) => (args === undefined ? '' : (judge(args.object)?.message ?? '')),
      },
    });
  };

export function firstOf<T extends object>(rules: readonly Rule<T>[], body: T, mode: Mode): GatewayError | null {
  for (const rule of rules) {
    const violation = rule(body, mode);
    if (violation !== null) return violation;
  }
  return null;
}
