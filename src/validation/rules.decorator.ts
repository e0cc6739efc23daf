import { registerDecorator, type ValidationArguments } from 'class-validator';
import type { GatewayError } from '../errors/gateway-error.js';
import type { Mode } from './check.js';

/** Judges a whole body or query whose fields have all passed. Null is no violation; never throws. */
export type Rule<T extends object> = (body: T, mode: Mode) => GatewayError | null;

/**
 * Rules of a class that look at several fields, or at the model; they run after the fields, in this order. Of rules that ask
 * for different fields the class has to be named: `@Rules<ChatCompletionRequest>(…)`.
 */
export const Rules =
  <T extends object>(...rules: Rule<T>[]): ((target: new () => T) => void) =>
  (target) => {
    const judge = (body: object) => firstOf(rules, body as T, { lenient: false });
    registerDecorator({
      name: 'rules',
      target,
      // No member has this name; the class is in it, so that a subclass adds to the rules of its parent.
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
