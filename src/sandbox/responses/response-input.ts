import type { Turn } from '../simulation/turn.js';
import { arrayOr } from '../wire/fields.js';
import { isJsonObject, type JsonObject } from '../wire/json-object.js';
import { invalidType, missingParameter } from '../wire/vendor-error.js';

/** The turns of an `input`: one text, or messages, function calls and what they gave back. */
export function readResponseInput(value: unknown): Turn[] {
  if (value === undefined || value === null) throw missingParameter('input');
  if (typeof value === 'string') return [{ role: 'user', text: value, attachments: 0, toolCalls: '' }];
  if (!Array.isArray(value)) throw invalidType('input', 'a string or an array');
  return value.flatMap((item: unknown, index) => {
    if (!isJsonObject(item)) throw invalidType(`input[${index}]`, 'an object');
    return turnsOf(item, index);
  });
}

function turnsOf(item: JsonObject, index: number): Turn[] {
  switch (item.type ?? 'message') {
    case 'message':
      if (typeof item.role !== 'string') throw missingParameter(`input[${index}].role`);
      return [{ role: item.role, ...readContent(item.content), toolCalls: '' }];
    case 'function_call':
      return [{ role: 'assistant', text: '', attachments: 0, toolCalls: JSON.stringify(item) }];
    case 'function_call_output':
      return [{ role: 'tool', ...readContent(item.output), toolCalls: '' }];
    default:
      return []; // reasoning, references and the like
  }
}

function readContent(content: unknown): Pick<Turn, 'text' | 'attachments'> {
  if (typeof content === 'string') return { text: content, attachments: 0 };

  const parts = arrayOr(content).filter(isJsonObject);
  const texts = parts.map((part) => part.text).filter((text) => typeof text === 'string');

  return { text: texts.join('\n'), attachments: parts.length - texts.length };
}
