import { isObject, type Kind, type Schema } from '../../validation/check.js';
import { arrayOf, either, object, required, taggedObject } from '../../validation/compound-kinds.js';
import { string } from '../../validation/scalar-kinds.js';
import { functionName, toolChoiceWord } from '../chat/tool.rules.js';

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
