import { isObject } from '../../../validation/check.js';
import { membersOf, parsedObject, TextCollector, type Members, type CountedText } from './counted-text.js';

/** Top-level members of requests, in any of the formats, that tell the provider what to do and the model nothing. */
const SETTINGS: ReadonlySet<string> = new Set([
  ...['model', 'models', 'user', 'metadata', 'safety_identifier', 'prompt_cache_key', 'prompt_cache_retention'],
  ...['stream_options', 'service_tier', 'include', 'betas', 'provider', 'transforms', 'route'],
  ...['stop', 'stop_sequences', 'logit_bias', 'reasoning', 'reasoning_effort', 'thinking', 'thinking_config'],
  ...['tool_choice', 'function_call', 'modalities', 'audio', 'truncation', 'truncate', 'conversation'],
  ...['container', 'verbosity', 'previous_response_id', 'encoding_format', 'input_type', 'cache_control'],
]);

/** A message's marks and its role; and the beginning of the answer, which counts as input. As chat models are billed. */
const MESSAGE_TOKENS = 4;
const ANSWER_START_TOKENS = 3;

/** What a value is called where its name is a client's own choice and tells nothing. */
const UNNAMED = '';

/**
 * What a request says to the model, in any of the formats: each string in it, wherever it stands, that is not known for a
 * setting, a label, or an image's, audio's or file's bytes or address. So what this does not know costs something. Not what
 * the upstream adds from a conversation that it keeps. Never throws.
 */
export function requestText(body: Uint8Array): CountedText {
  try {
    const request = parsedObject(body);
    if (request !== null) return new RequestText().read(request);
  } catch {
    // Nested deeper than the stack goes.
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

  /** Of any format; or a text, or several. Calls and their results are items of their own in the responses format. */
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
      // Of the provider's own tools all that is said.
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
    // How providers write it for the model is not known: its JSON comes near.
    if (AS_WRITTEN.has(name)) return this.collector.addJson(object);
    // A document's source may be text, and the variables of a stored prompt are called as one likes.
    const neverMedia = object['type'] === 'text' || name === 'variables';
    for (const [member, value] of Object.entries(object)) {
      if (member.length > LABEL_LENGTH_MAX) this.collector.add(member);
      const isText = neverMedia && typeof value === 'string' && !isLabel(member, value);
      this.addMember(isText ? UNNAMED : member, value);
    }
  }
}

/** Longer ones are no labels: a text that is called `id` is a text. */
const LABEL_LENGTH_MAX = 64;
const ADDRESS_LENGTH_MAX = 4096;

/** Objects whose members a client names as it likes, so that names tell nothing in them and are read by the model too. */
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

/** A word of the format's own, or an id: its message's marks stand for it. */
const isLabel = (name: string, value: string): boolean => value.length <= LABEL_LENGTH_MAX && LABELS.test(name);

/** What an image, audio, a file or their address is called, and what a provider has sealed for itself. */
export const isMediaName = (name: string): boolean => MEDIA.test(name);

/**
 * Bytes or the address of an image, audio or a file, or what is sealed. Both its name and its look have to say so: by the look alone a text without blanks could pass for it, by the name alone any text.
 */
const isMedia = (name: string, value: string): boolean => isMediaName(name) && looksLikeMedia(value);

function looksLikeMedia(value: string): boolean {
  if (value.length <= ADDRESS_LENGTH_MAX && ADDRESS.test(value)) return true;
  const head = DATA_URL.exec(value)?.[0].length ?? 0;
  return !NOT_BASE64.test(head === 0 ? value : value.slice(head));
}
