import { GatewayError } from '../errors/gateway-error.js';
import { InputPipe } from '../validation/input.pipe.js';
import { wrongInput, type InputOption } from './input-options.js';

type Input = Record<string, unknown>;

/** Errors of the Admin API name the field. Errors of a command name its option. */
export async function namingOptions<T>(options: readonly InputOption[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof GatewayError && error.code === 'validation_error' ? wrongInput(options, error) : error;
  }
}

/** Validates a body like the Admin API. @throws CliError with the API's code, message and `param` */
export const checkBody = <T extends object>(Dto: new () => T, body: Input, options: readonly InputOption[]) =>
  namingOptions(options, () => new InputPipe(Dto, { source: 'body' }).transform(body));

export const readQuery = <T extends object>(Dto: new () => T, query: Input, options: readonly InputOption[]) =>
  namingOptions(options, () => new InputPipe(Dto, { source: 'query' }).transform(query));
