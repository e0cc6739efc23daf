import type { Kind } from '../../platform/validation/check.js';
import { arrayOf, either, object, required, taggedObject } from '../../platform/validation/compound-kinds.js';
import { boolean, oneOf, string } from '../../platform/validation/scalar-kinds.js';

export const functionName: Kind = string({
  pattern: /^[a-zA-Z0-9_-]{1,64}$/,
  expected: '1 to 64 letters, digits, underscores or hyphens',
});

const describedFunction = object({
  name: required(functionName),
  description: string(),
  parameters: object(),
  strict: boolean(),
});

/** The nested form `{type: 'function', function: {name, …}}`. */
export const functionTools: Kind = arrayOf(
  taggedObject('type', { function: object({ function: required(describedFunction) }) }),
  { min: 1 },
);

const chosenFunction = object({ name: required(string({ min: 1 })) });

export const toolChoiceWord: Kind = oneOf('none', 'auto', 'required');

export const toolChoice: Kind = either({
  string: toolChoiceWord,
  object: taggedObject('type', { function: object({ function: required(chosenFunction) }) }),
});

export const legacyFunctions: Kind = arrayOf(object({ name: required(functionName) }));

export const legacyFunctionCall: Kind = either({
  string: oneOf('none', 'auto'),
  object: object({ name: required(string()) }),
});
