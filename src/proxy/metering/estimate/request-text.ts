import { isMediaName } from '../../../platform/json/media-names.js';
import { isObject } from '../../../platform/validation/check.js';
import { fieldsOf, parsedObject, TextCollector, type Fields, type CountedText } from './counted-text.js';

const FIELDS_NOT_READ_BY_MODEL: ReadonlySet<string> = new Set([
  'model',
  'models',
  'user',
  'metadata',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'stream_options',
  'service_tier',
  'include',
  'betas',
  'provider',
  'transforms',
  'route',
  'stop',
  'stop_sequences',
  'logit_bias',
  'reasoning',
  'reasoning_effort',
  'thinking',
  'thinking_config',
  'tool_choice',
  'function_call',
  'modalities',
  'audio',
  'truncation',
  'truncate',
  'conversation',
  'container',
  'verbosity',
  'previous_response_id',
  'encoding_format',
  'input_type',
  'cache_control',
]);

/** Providers bill these for the delimiters and role of a message, and for the start of a response. */
const MESSAGE_TOKENS = 4;
const RESPONSE_START_TOKENS = 3;

/** Stands for a name that the client chose freely. */
const UNNAMED = '';

/** Returns all strings of a request in any format, except settings, labels and media. Never throws. */
export function requestText(body: Uint8Array): CountedText {
  try {
    const request = parsedObject(body);
    if (request !== null) return new RequestText().read(request);
  } catch {
    // The body is nested too deeply for the stack, so all of it counts as text.
  }
  return { texts: [Buffer.from(body.buffer, body.byteOffset, body.length).toString()], framingTokens: 0 };
}

class RequestText {
  private readonly collector = new TextCollector();

  read(request: Fields): CountedText {
    for (const [name, value] of Object.entries(request)) {
      if (name === 'tools' || name === 'functions') this.addTools(value);
      else if (name === 'messages' || name === 'input') this.addMessages(value);
      else if (!FIELDS_NOT_READ_BY_MODEL.has(name)) this.addField(name, value);
    }
    if (request['messages'] !== undefined) this.collector.addFraming(RESPONSE_START_TOKENS);
    return this.collector.side;
  }

  private addMessages(value: unknown): void {
    for (const message of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isObject(message)) this.collector.addFraming(MESSAGE_TOKENS);
      this.addNameMark(message);
      this.addField(UNNAMED, message);
    }
  }

  private addTools(value: unknown): void {
    if (!Array.isArray(value)) return this.addField(UNNAMED, value);
    for (const tool of value as unknown[]) {
      const { function: wrapped, custom, name } = fieldsOf(tool);
      const declared = [wrapped, custom].filter(isObject);
      for (const named of declared.length > 0 ? declared : [tool]) this.addNameMark(named);
      if (declared.length === 0 && name === undefined) this.collector.addJson(tool);
      else this.addField(UNNAMED, tool);
    }
  }

  private addNameMark(value: unknown): void {
    if (fieldsOf(value)['name'] !== undefined) this.collector.addFraming(1);
  }

  private addField(name: string, value: unknown): void {
    if (typeof value === 'string') {
      if (!isLabel(name, value) && !isMedia(name, value)) this.collector.add(value);
    } else if (Array.isArray(value)) {
      for (const item of value as unknown[]) this.addField(name, item);
    } else if (isObject(value)) {
      this.addObject(name, value);
    } else if (typeof value === 'number' && name === 'prompt') {
      // A token ID of a completion.
      this.collector.addFraming(1);
    }
  }

  private addObject(name: string, object: Fields): void {
    // The provider's prompt format for these objects is unknown. Their JSON has a similar number of tokens.
    if (COUNTED_AS_JSON.has(name)) return this.collector.addJson(object);
    // The source of a document can be text, and clients choose the names of a stored prompt's variables.
    const neverMedia = object['type'] === 'text' || name === 'variables';
    for (const [field, value] of Object.entries(object)) {
      if (field.length > LABEL_LENGTH_MAX) this.collector.add(field);
      const isText = neverMedia && typeof value === 'string' && !isLabel(field, value);
      this.addField(isText ? UNNAMED : field, value);
    }
  }
}

/** Longer values are text, even if their name is `id`. */
const LABEL_LENGTH_MAX = 64;
const ADDRESS_LENGTH_MAX = 4096;

/** The client chooses the field names of these objects, and the model reads them. */
const COUNTED_AS_JSON: ReadonlySet<string> = new Set([
  'parameters',
  'input_schema',
  'output_schema',
  'schema',
  'properties',
  'input',
  'arguments',
  'chat_template_kwargs',
]);

const LABELS =
  /^(?:role|type|object|status|phase|detail|format|syntax|effort|verbosity|ttl|(?:mime|media)_?type)$|(?:^|_)ids?$/i;

const DATA_URL = /^data:[^,\s]{0,200};base64,/i;
const ADDRESS = /^[a-z][a-z\d+.-]*:\/\/\S*$/i;
const NOT_BASE64 = /[^A-Za-z\d+/=_\r\n-]/;

/** Matches a keyword of the format or an ID. `MESSAGE_TOKENS` accounts for these. */
const isLabel = (name: string, value: string): boolean => value.length <= LABEL_LENGTH_MAX && LABELS.test(name);

/** Both name and value must match. Otherwise a text without spaces, or any text under such a name, would not be counted. */
const isMedia = (name: string, value: string): boolean => isMediaName(name) && looksLikeMedia(value);

function looksLikeMedia(value: string): boolean {
  if (value.length <= ADDRESS_LENGTH_MAX && ADDRESS.test(value)) return true;
  const head = DATA_URL.exec(value)?.[0].length ?? 0;
  return !NOT_BASE64.test(head === 0 ? value : value.slice(head));
}
