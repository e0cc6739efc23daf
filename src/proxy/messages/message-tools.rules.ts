import { isObject, type Kind } from '../../validation/check.js';
import { arrayOf, object, required, taggedObject } from '../../validation/compound-kinds.js';
import { string } from '../../validation/scalar-kinds.js';
import { functionName } from '../chat/tool.rules.js';

const customTool = object({
  type: string(),
  name: required(functionName),
  description: string(),
  input_schema: required(object()),
});

/** A tool that the vendor defines, such as `web_search`, needs no input schema (D27). */
const vendorTool = object({ type: required(string()), name: required(functionName), description: string() });

const tool: Kind = {
  check: (value, param, mode) => {
    const ofVendor = isObject(value) && typeof value.type === 'string' && value.type !== 'custom';
    return (ofVendor ? vendorTool : customTool).check(value, param, mode);
  },
  schema: {
    anyOf: [
      withType(customTool, { type: ['string', 'null'], enum: ['custom', null] }),
      withType(vendorTool, { type: 'string', not: { enum: ['custom'] } }),
    ],
  },
};

/** Unlike in chat completions, functions are not nested. */
export const messageTools: Kind = arrayOf(tool, { min: 1 });

export const messageToolChoice: Kind = taggedObject('type', {
  auto: object(),
  any: object(),
  tool: object({ name: required(string({ min: 1 })) }),
});

function withType({ schema }: Kind, type: object): object {
  return { ...schema, properties: { ...(schema.properties as object), type } };
}
