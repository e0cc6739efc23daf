import { invalidValue } from '../../../platform/errors/error-factories.js';
import type { GatewayError } from '../../../platform/errors/gateway-error.js';
import { MODEL_FIELDS, namesModels } from '../../../platform/json/named-models.js';
import { isReadOnce } from '../../../platform/json/read-once.rules.js';
import { twoReadingsIn, type Counted, type Spellings, type TwoReadings } from '../../../platform/json/two-readings.js';

/**
 * The error for a body whose model or cost two parsers could read differently (D29). Null if all parsers read the same. The code is
 * `invalid_value`, and the param is `model` or the top-level field.
 */
export function refusalOfTwoReadings(
  body: Buffer,
  json: Readonly<Record<string, unknown>>,
  spellings: Spellings,
  counted?: Counted,
): GatewayError | null {
  const found = twoReadingsIn(body, json, spellings, counted);
  if (found === null) return null;
  const { name, within, written } = found;
  const param = paramOf(found);
  if (written !== null)
    return invalidValue(param, `written as "${name}", because some parsers read "${shown(written)}" as the same field`);
  const reason = `because parsers disagree on which "${shown(name)}" to use`;
  if (within === null || param === 'model') return invalidValue(param, `specified only once, ${reason}`);
  return invalidValue(param, `free of repeated field names, ${reason}`);
}

/** A field outside of the table is only found if it contains models. */
function paramOf({ name, within }: TwoReadings): string {
  if (namesModels(name)) return 'model';
  if (within !== null) return within;
  return MODEL_FIELDS.includes(name) || !isReadOnce(name) ? 'model' : name;
}

const SHOWN_CHARACTERS_MAX = 64;

const shown = (name: string): string =>
  name.length > SHOWN_CHARACTERS_MAX ? `${name.slice(0, SHOWN_CHARACTERS_MAX)}…` : name;
