import { isObject } from '../../../validation/check.js';
import { membersOf, parsedObject, TextCollector, type Members, type CountedText } from './counted-text.js';

/** Top-level fields of any request format that are instructions for the provider. The model does not read them. */
const SETTINGS: ReadonlySet<string> = new Set([
  ...['model', 'models', 'user', 'metadata', 'safety_identifier', 'prompt_cache_key', 'prompt_cache_retention'],
  ...['stream_options', 'service_tier', 'include', 'betas', 'provider', 'transforms', 'route'],
  ...['stop', 'stop_sequences', 'logit_bias', 'reasoning', 'reasoning_effort', 'thinking', 'thinking_config'],
  ...['tool_choice', 'function_call', 'modalities', 'audio', 'truncation', 'truncate', 'conversation'],
  ...['container', 'verbosity', 'previous_response_id', 'encoding_format', 'input_type', 'cache_control'],
]);

/** Tokens of a message's delimiters and role, and of the start of the response, as chat models are billed. */
const MESSAGE_TOKENS = 4;
const ANSWER_START_TOKENS = 3;

/** The name of a value whose own name the client chooses freely. */
const UNNAMED = '';

/**
 * The text of a request that the model reads, in any format. It is every string that is not known to be a setting, a label, or
 * the bytes or address of media. So unknown fields are counted. It excludes the conversation that the upstream stores. Never
 * throws.
 */
export function requestText(body: Uint8Array): CountedText {
  try {
    const request = parsedObject(body);
    if (request !== null) return new RequestText().read(request);
  } catch {
    // The nesting exceeds the stack.
  }
  return { texts: [Buffer.from(body.buffer, body.byteOffset, body.length).toString()], framingTokens: 0 };
}

class RequestText {
  private readonly collector = new TextCollector();

  read(request: Members): CountedText {
    for (const [name, value] of Object.entries(request)) {
      if (name === 'tools' || name === 'functions') this.addTools(value);
      else if (name === 'messages' || name === 'input') this.addMessages(value);
      else if (!SETTINGS.has(name)) this.addMember(name, value);
    }
    if (request['messages'] !== undefined) this.collector.addFraming(ANSWER_START_TOKENS);
    return this.collector.side;
  }

  /** Messages of any format, or one text, or several. The responses format has items for calls and their results. */
  private addMessages(value: unknown): void {
    for (const message of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isObject(message)) this.collector.addFraming(MESSAGE_TOKENS);
      this.addNameMark(message);
      this.addMember(UNNAMED, message);
    }
  }

  private addTools(value: unknown): void {
    if (!Array.isArray(value)) return this.addMember(UNNAMED, value);
    for (const tool of value as unknown[]) {
      const { function: wrapped, custom, name } = membersOf(tool);
      const declared = [wrapped, custom].filter(isObject);
      for (const named of declared.length > 0 ? declared : [tool]) this.addNameMark(named);
      // The provider's own tools count completely.
      if (declared.length === 0 && name === undefined) this.collector.addJson(tool);
      else this.addMember(UNNAMED, tool);
    }
  }

  private addNameMark(value: unknown): void {
    if (membersOf(value)['name'] !== undefined) this.collector.addFraming(1);
  }

  private addMember(name: string, value: unknown): void {
    if (typeof value === 'string') {
      if (!isLabel(name, value) && !isMedia(name, value)) this.collector.add(value);
    } else if (Array.isArray(value)) {
      for (const item of value as unknown[]) this.addMember(name, item);
    } else if (isObject(value)) {
      this.addObject(name, value);
    }
  }

  private addObject(name: string, object: Members): void {
    // The provider's wording for the model is unknown. The JSON is close to it.
    if (AS_WRITTEN.has(name)) return this.collector.addJson(object);
    // A document's source can be text, and clients choose the names of a stored prompt's variables.
    const neverMedia = object['type'] === 'text' || name === 'variables';
    for (const [member, value] of Object.entries(object)) {
      if (member.length > LABEL_LENGTH_MAX) this.collector.add(member);
      const isText = neverMedia && typeof value === 'string' && !isLabel(member, value);
      this.addMember(isText ? UNNAMED : member, value);
    }
  }
}

/** A longer value is text, even if its name is `id`. */
const LABEL_LENGTH_MAX = 64;
const ADDRESS_LENGTH_MAX = 4096;

/** Objects in which the client chooses the names, so that the names say nothing and the model reads them too. */
const AS_WRITTEN: ReadonlySet<string> = new Set([
  ...['parameters', 'input_schema', 'output_schema', 'schema', 'properties'],
  ...['input', 'arguments', 'chat_template_kwargs'],
]);

const LABELS =
  /^(?:role|type|object|status|phase|detail|format|syntax|effort|verbosity|ttl|(?:mime|media)_?type)$|(?:^|_)ids?$/i;

const MEDIA =
  /(?:^result|image|audio|video|file|media|screenshot|url|uri|data|bytes|b64(?:_json)?|base64|signature|encrypted_(?:content|index))s?$/i;
const DATA_URL = /^data:[^,\s]{0,200};base64,/i;
const ADDRESS = /^[a-z][a-z\d+.-]*:\/\/\S*$/i;
const NOT_BASE64 = /[^A-Za-z\d+/=_\r\n-]/;

/** A word of the format itself, or an ID. The tokens of its message's delimiters include it. */
const isLabel = (name: string, value: string): boolean => value.length <= LABEL_LENGTH_MAX && LABELS.test(name);

/** Names of media and their addresses, and of data that the provider has encrypted for itself. */
export const isMediaName = (name: string): boolean => MEDIA.test(name);

/**
 * The bytes or the address of media, or encrypted data. Both the name and the value must look like it: otherwise a text without
 * spaces, or any text under such a name, would not be counted.
 */
const isMedia = (name: string, value: string): boolean => isMediaName(name) && looksLikeMedia(value);

function looksLikeMedia(value: string): boolean {
  if (value.length <= ADDRESS_LENGTH_MAX && ADDRESS.test(value)) return true;
  const head = DATA_URL.exec(value)?.[0].length ?? 0;
  return !NOT_BASE64.test(head === 0 ? value : value.slice(head));
}
