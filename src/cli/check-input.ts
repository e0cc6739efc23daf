import { GatewayError } from '../errors/gateway-error.js';
import { compileQuery } from '../validation/compile-query.js';
import { compileRules } from '../validation/compile-rules.js';
import type { Dto } from '../validation/dto-metadata.js';
import { wrongInput, type InputOption } from './input-options.js';

/** A request's body by the Admin API's own rules. @throws CliError with its code, text and `param` */
export function checkBody<T extends object>(
  Dto: Dto<T>,
  body: Record<string, unknown>,
  inputs: readonly InputOption[],
): T {
  const violation = compileRules(Dto, { unknownFields: 'refuse', nullIsAbsent: false, code: 'validation_error' })(body);
  if (violation !== null) throw wrongInput(inputs, violation);
  return body as T;
}

/** A request's query by the Admin API's own rules. @throws CliError with its code, text and `param` */
export function readQuery<T extends object>(
  Dto: Dto<T>,
  raw: Record<string, unknown>,
  inputs: readonly InputOption[],
): T {
  try {
    return compileQuery(Dto)(raw);
  } catch (error) {
    throw error instanceof GatewayError ? wrongInput(inputs, error) : error;
  }
}
