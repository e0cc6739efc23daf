import { invalidValue } from '../../errors/catalogue.js';
import { parameterName } from '../../routes/parameter-name.rules.js';

/** In any case, and as some readers write lists. */
const NAMES_MODELS = /^models?(?:\[.*\])?$/is;

/**
 * @param target of a request whose body names the model
 * @throws GatewayError `invalid_value`, param `model`: a provider may heed a model in the query before the body's (D29)
 */
export function refuseModelInQuery(target: string): void {
  const at = target.indexOf('?');
  if (at === -1) return;
  for (const parameter of target.slice(at + 1).split(/[&;]/)) {
    if (NAMES_MODELS.test(parameterName(parameter)))
      throw invalidValue('model', 'given in the body: one in the query could be read instead');
  }
}
