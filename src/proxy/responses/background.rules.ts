import { invalidValue } from '../../errors/catalogue.js';
import type { RequestContext } from '../../request-context/request-context.js';

/**
 * A response made in the background is billed after its request has been answered, and nobody here sees what it cost (D14):
 * a limit of tokens would be none. So a key that has one cannot ask for it.
 * @throws GatewayError `invalid_value` at `background`
 */
export function refuseUnmeteredBackground({ json, key }: RequestContext): void {
  const background = json?.['background'] ?? false;
  if (background === false || key!.monthlyTokenLimit === null) return;
  throw invalidValue('background', 'false: this API key has a monthly token limit, which cannot count such responses');
}
