import { invalidValue } from '../../errors/catalogue.js';
import { parameterName } from '../../routes/parameter-name.rules.js';
import { CHOOSING_NAMES, lenientName } from './lenient-names.rules.js';

/**
 * @param target of a request whose body names the model
 * @throws GatewayError `invalid_value`, param `model`: a provider may heed a model or fallbacks in the query before the
 *   body's (D29)
 */
export function refuseModelInQuery(target: string): void {
  const at = target.indexOf('?');
  if (at === -1) return;
  for (const parameter of target.slice(at + 1).split(/[&;]/)) {
    if (CHOOSING_NAMES.has(lenientName(parameterName(parameter))))
      throw invalidValue('model', 'given in the body: one in the query could be read instead');
  }
}
