import { invalidValue } from '../../errors/error-factories.js';
import { MODEL_FIELDS, namesModels } from '../../json/named-models.js';
import { isReadOnce } from '../../json/read-once.rules.js';
import { twoReadingsIn, type Counted, type TwoReadings } from '../../json/two-readings.js';

/**
 * Refuses a body in which two parsers could read different values of a field that decides what runs, or what it costs (D29).
 * @param everywhere also checks fields that the gateway does not know, as `modelsInside` does
 * @throws GatewayError `invalid_value`, with param `model`, or the top-level field
 */
export function refuseTwoReadings(
  body: Buffer,
  json: Readonly<Record<string, unknown>>,
  everywhere: boolean,
  counted?: Counted,
): void {
  const found = twoReadingsIn(body, json, everywhere, counted);
  if (found === null) return;
  const { name, within, written } = found;
  const param = paramOf(found);
  if (written !== null)
    throw invalidValue(param, `written as "${name}", because some parsers read "${shown(written)}" as the same field`);
  const reason = `because parsers disagree on which "${shown(name)}" to use`;
  if (within === null || param === 'model') throw invalidValue(param, `specified only once, ${reason}`);
  throw invalidValue(param, `free of repeated field names, ${reason}`);
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
