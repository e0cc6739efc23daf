import { textTurn, type Turn } from '../simulation/turn.js';
import { arrayOr, objectOr } from '../wire/fields.js';
import { isJsonObject, type JsonObject } from '../wire/json-object.js';
import { invalidType, missingParameter } from '../wire/vendor-error.js';

/** Items of these types are neither part of the conversation nor counted. The vendor stores them, or they are settings. */
const SILENT = ['reasoning', 'item_reference', 'additional_tools', 'compaction_trigger', 'configuration_update'];

export function readInputItems(value: unknown): JsonObject[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return [{ type: 'message', role: 'user', content: value }];
  if (!Array.isArray(value)) throw invalidType('input', 'a string or an array');
  return value.map((item: unknown, index) => {
    if (!isJsonObject(item)) throw invalidType(`input[${index}]`, 'an object');
    if (isMessage(item) && typeof item.role !== 'string') throw missingParameter(`input[${index}].role`);
    return item;
  });
}

export function turnsOfItems(items: readonly JsonObject[]): Turn[] {
  return items.filter((item) => !SILENT.includes(String(item.type))).map(turnOf);
}

/** Returns the tools that `additional_tools` and `tool_search_output` items add to those of the request. */
export function additionalTools(items: readonly JsonObject[]): unknown[] {
  return items
    .filter((item) => item.type === 'additional_tools' || item.type === 'tool_search_output')
    .flatMap((item) => arrayOr(item.tools));
}

/** Returns an input item as the vendor lists it later: with an ID, and its content as parts. */
export function listedItem(item: JsonObject, id: string): JsonObject & { readonly id: string } {
  return { ...completeItem(item), id: typeof item.id === 'string' ? item.id : id };
}

export function completeItem(item: JsonObject): JsonObject {
  if (!isMessage(item)) return item;

  const type = item.role === 'assistant' ? 'output_text' : 'input_text';
  const content = typeof item.content === 'string' ? [{ type, text: item.content }] : arrayOr(item.content);

  return { ...item, type: 'message', status: 'completed', content };
}

function isMessage(item: JsonObject): boolean {
  return (item.type ?? 'message') === 'message';
}

function turnOf(item: JsonObject): Turn {
  const type = typeof item.type === 'string' ? item.type : 'message';

  if (type === 'message') return { role: String(item.role), ...readContent(item.content), toolCalls: '' };
  if (/_output$|_response$/.test(type)) return { role: 'tool', ...readContent(item.output), toolCalls: '' };
  return { ...textTurn('assistant', ''), toolCalls: JSON.stringify(item) };
}

function readContent(content: unknown): Pick<Turn, 'text' | 'attachments'> {
  if (typeof content === 'string') return { text: content, attachments: 0 };

  const parts = (Array.isArray(content) ? content : [content]).filter(isJsonObject);
  const texts = parts.map((part) => part.text ?? part.stdout ?? objectOr(part.output, {}).text);
  const strings = texts.filter((text) => typeof text === 'string');

  return { text: strings.join('\n'), attachments: parts.length - strings.length };
}
