import { GatewayError } from '../errors/gateway-error.js';
import { InputPipe, type InputOptions } from '../validation/input.pipe.js';
import { wrongInput, type InputOption } from './input-options.js';

type Input = Record<string, unknown>;

/** Validates a body like the Admin API. @throws CliError with the API's code, message and `param` */
export const checkBody = <T extends object>(Dto: new () => T, body: Input, options: readonly InputOption[]) =>
  check(Dto, body, 'body', options);

export const readQuery = <T extends object>(Dto: new () => T, query: Input, options: readonly InputOption[]) =>
  check(Dto, query, 'query', options);

async function check<T extends object>(
  Dto: new () => T,
  input: Input,
  source: InputOptions['source'],
  options: readonly InputOption[],
): Promise<T> {
  try {
    return await new InputPipe(Dto, { source }).transform(input);
  } catch (error) {
    throw error instanceof GatewayError ? wrongInput(options, error) : error;
  }
}
