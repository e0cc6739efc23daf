import { GatewayError } from '../errors/gateway-error.js';

/**
 * Replaces the advice of the Admin API, which names routes and fields, with advice that names commands and options.
 * @param advice the texts to replace, each with its replacement
 */
export async function withAdvice<T>(advice: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const message = Object.entries(advice).reduce((text, [api, cli]) => text.replace(api, () => cli), error.message);
    throw message === error.message
      ? error
      : new GatewayError(error.code, message, { param: error.param, cause: error.cause });
  }
}
