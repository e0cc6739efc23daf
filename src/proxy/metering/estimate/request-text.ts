import { isObject } from '../../../validation/check.js';
import { SETTINGS } from './request-settings.data.js';
import { AS_WRITTEN, isLabel, isMedia, LABEL_LENGTH_MAX } from './request-text.rules.js';
import { membersOf, parsedObject, TextCollector, type Members, type SideText } from './side-text.js';

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
export function requestText(body: Uint8Array): SideText {
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

  read(request: Members): SideText {
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
