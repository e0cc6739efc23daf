import { invalidValue } from '../../errors/catalogue.js';
import type { RequestContext } from '../../request-context/request-context.js';
import { topLevelMembers } from '../../json/top-level-members.js';
import { hasLength } from '../../validation/characters.js';
import { isObject, type Kind, type Schema } from '../../validation/check.js';
import { mapOf, arrayOf, either, object, required, taggedObject } from '../../validation/compound-kinds.js';
import { string } from '../../validation/scalar-kinds.js';
import { functionName, toolChoiceWord } from '../chat/tool.rules.js';

/**
 * A response made in the background is billed after its request has been answered, and nobody here sees what it cost (D14):
 * a limit of tokens would be none. So a key that has one cannot ask for it, nor send a second `background` that another
 * parser could read instead (D29).
 * @throws GatewayError `invalid_value` at `background`
 */
export function refuseUnmeteredBackground({ body, key }: RequestContext): void {
  const background = body.json?.['background'];
  if (background === undefined || key!.monthlyTokenLimit === null) return;
  if (background !== null && background !== false)
    throw invalidValue(
      'background',
      'false: this API key has a monthly token limit, which cannot count such responses',
    );
  let times = 0;
  for (const { name } of topLevelMembers(body.bytes!)) if (name === 'background') times++;
  if (times > 1) throw invalidValue('background', 'given once: a second one could be read instead of the first');
}

const PAIRS_MAX = 16;
/** Characters (code points). */
const KEY_MAX = 64;
const VALUE_MAX = 512;

const texts = mapOf(string({ max: VALUE_MAX }));

/** `metadata` of a response: at most 16 texts by name. A wrong value is told at `metadata.KEY`, all else at `metadata`. */
export const responseMetadata: Kind = {
  check: (value, param, mode) => {
    if (isObject(value)) {
      const names = Object.keys(value);
      if (names.length > PAIRS_MAX) return invalidValue(param, `an object of at most ${PAIRS_MAX} pairs`);
      if (!names.every((name) => hasLength(name, 0, KEY_MAX)))
        return invalidValue(param, `an object whose keys have at most ${KEY_MAX} characters`);
    }
    return texts.check(value, param, mode);
  },
  schema: { ...texts.schema, maxProperties: PAIRS_MAX, propertyNames: { maxLength: KEY_MAX } },
};

/**
 * An object of type `function` with a name of the kind given, in one of two forms (D26): nested, as chat completions have
 * it (`function: {name}`), or flat, as the vendor's SDKs send it. Another type passes where `mode.anyTool` says so.
 */
function functionOf(name: Kind): Kind {
  const nested = taggedObject('type', { function: object({ function: required(object({ name: required(name) })) }) });
  const flat = taggedObject('type', { function: object({ name: required(name) }) });
  return {
    check: (value, param, mode) => {
      if (!isObject(value)) return flat.check(value, param, mode);
      if (mode.anyTool === true && typeof value.type === 'string' && value.type !== 'function') return null;
      return (hasNested(value.function) ? nested : flat).check(value, param, mode);
    },
    schema: { anyOf: [withoutNested(flat.schema), nested.schema] },
  };
}

const withoutNested = (flat: Schema): Schema => ({
  ...flat,
  properties: { ...(flat.properties as object), function: { type: 'null' } },
});

const hasNested = (member: unknown): boolean => member !== undefined && member !== null;

/** `tools` of a response. */
export const responseTools: Kind = arrayOf(functionOf(functionName), { min: 1 });

/** `tool_choice` of a response: a word, or one function. */
export const responseToolChoice: Kind = either({
  string: toolChoiceWord,
  object: functionOf(string({ min: 1 })),
});
