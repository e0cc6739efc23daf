import { invalidValue } from '../../errors/catalogue.js';
import type { RequestContext } from '../../request-context/request-context.js';
import { topLevelMembers } from '../../json/top-level-members.js';

/**
 * A response made in the background is billed after its request has been answered, and nobody here sees what it cost (D14):
 * a limit of tokens would be none. So a key that has one cannot ask for it, nor send a second `background` that another
 * parser could read instead (D29).
 * @throws GatewayError `invalid_value` at `background`
 */
export function refuseUnmeteredBackground({ json, body, key }: RequestContext): void {
  const background = json?.['background'];
  if (background === undefined || key!.monthlyTokenLimit === null) return;
  if (background !== null && background !== false)
    throw invalidValue(
      'background',
      'false: this API key has a monthly token limit, which cannot count such responses',
    );
  let times = 0;
  for (const { name } of topLevelMembers(body!)) if (name === 'background') times++;
  if (times > 1) throw invalidValue('background', 'given once: a second one could be read instead of the first');
}
