import { invalidType, missingRequiredParameter } from '../../errors/catalogue.js';
import { isObject, type Check, type Kind } from '../../validation/check.js';
import { anything, arrayOf, either, object, required, taggedObject } from '../../validation/compound-kinds.js';
import { oneOf, string } from '../../validation/scalar-kinds.js';

const nonEmpty = required(string({ min: 1 }));
const mediaType = required(oneOf('image/jpeg', 'image/png', 'image/gif', 'image/webp'));

const imageSource = taggedObject('type', {
  base64: object({ media_type: mediaType, data: nonEmpty }),
  url: object({ url: nonEmpty }),
});
const documentSource = taggedObject('type', {
  base64: object({ data: nonEmpty }),
  url: object({ url: nonEmpty }),
  text: object({ data: nonEmpty }),
});
/** What a tool answered. Blocks in it are the upstream's to judge. */
const toolResult = either({ string: string(), array: arrayOf(anything) });

/** Blocks with rules, by `type`. A Map, not an object: a type may be called `constructor`. */
const RULED: ReadonlyMap<string, Kind> = new Map(
  Object.entries({
    text: object({ text: required(string()) }),
    image: object({ source: required(imageSource) }),
    tool_use: object({ id: nonEmpty, name: nonEmpty, input: required(object()) }),
    tool_result: object({ tool_use_id: nonEmpty, content: toolResult }),
    document: object({ source: required(documentSource) }),
  }).map(([type, kind]) => [type, taggedObject('type', { [type]: kind })]),
);

const checkBlock: Check = (block, param, mode) => {
  if (!isObject(block)) return invalidType(param, 'an object');
  const { type, text } = block;
  // By far the most of them; the longest conversations are made of little else.
  if (type === 'text' && typeof text === 'string') return null;
  if (type === undefined) return missingRequiredParameter(`${param}.type`);
  if (typeof type !== 'string') return invalidType(`${param}.type`, 'a string');
  return RULED.get(type)?.check(block, param, mode) ?? null;
};

const anyOther = {
  type: 'object',
  description: 'Any other block, forwarded as it is.',
  properties: { type: { type: 'string', not: { enum: [...RULED.keys()] } } },
  required: ['type'],
  additionalProperties: true,
};

/** Content of a message or of `system`: text, or blocks. A block of a type without rules (`thinking`, …) passes. */
export const content: Kind = either({
  string: string(),
  array: arrayOf({
    check: checkBlock,
    schema: { oneOf: [...[...RULED.values()].map(({ schema }) => schema), anyOther] },
  }),
});
