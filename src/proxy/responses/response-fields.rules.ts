import { invalidValue } from '../../platform/errors/error-factories.js';
import { hasLength } from '../../platform/validation/characters.js';
import { isObject, type Kind, type Schema } from '../../platform/validation/check.js';
import { mapOf, arrayOf, either, object, required, taggedObject } from '../../platform/validation/compound-kinds.js';
import { string } from '../../platform/validation/scalar-kinds.js';
import { functionName, toolChoiceWord } from '../chat/tool.rules.js';

const PAIRS_MAX = 16;
const KEY_MAX = 64;
const VALUE_MAX = 512;

const texts = mapOf(string({ max: VALUE_MAX }));

/** At most 16 texts. An invalid text is reported as `metadata.KEY`, other errors as `metadata`. */
export const responseMetadata: Kind = {
  check: (value, param, mode) => {
    if (isObject(value)) {
      const names = Object.keys(value);
      if (names.length > PAIRS_MAX) return invalidValue(param, `an object with at most ${PAIRS_MAX} pairs`);
      if (!names.every((name) => hasLength(name, 0, KEY_MAX)))
        return invalidValue(param, `an object whose keys have at most ${KEY_MAX} characters`);
    }
    return texts.check(value, param, mode);
  },
  schema: { ...texts.schema, maxProperties: PAIRS_MAX, propertyNames: { maxLength: KEY_MAX } },
};

/** Accepts the nested form of chat completions, and the flat form of OpenAI's SDKs (D26). */
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

const hasNested = (value: unknown): boolean => value !== undefined && value !== null;

export const responseTools: Kind = arrayOf(functionOf(functionName), { min: 1 });

export const responseToolChoice: Kind = either({
  string: toolChoiceWord,
  object: functionOf(string({ min: 1 })),
});
