import type { Kind } from '../../validation/check.js';
import { arrayOf, either, object, required, taggedObject } from '../../validation/compound-kinds.js';
import { string } from '../../validation/scalar-kinds.js';

const textPart = taggedObject('type', { text: object({ text: required(string()) }) });
const content = either({ string: string({ min: 1 }), array: arrayOf(textPart, { min: 1 }) });

/** `prediction`: the text that most of the answer is expected to be. */
export const prediction: Kind = taggedObject('type', { content: object({ content: required(content) }) });
