import { documentsIn } from '../../../platform/event-stream/documents-in.js';
import type { ResponseFormat } from '../response-format.js';
import {
  itemsOf,
  fieldsOf,
  jsonOf,
  parsedObject,
  textsOfCutJson,
  type Fields,
  type CountedText,
} from './counted-text.js';

/** Returns the text of a response in any format. The pieces of a text are joined, because tokens span them. */
export function responseText(bytes: Uint8Array, format: ResponseFormat): CountedText {
  const text = new ResponseText();
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (format === 'json') {
    const whole = parsedObject(bytes);
    if (whole === null) return textsOfCutJson(bytes);
    // Some providers send the chunks of a stream as one array.
    for (const part of Array.isArray(whole) ? whole : [whole]) text.read(fieldsOf(part));
    return text.side;
  }
  for (const payload of documentsIn(body, format, parsedObject)) text.read(payload);
  return text.side;
}

/** Texts with the same label are pieces of one text. A label of another type is ignored. */
const labelOf = (index: unknown): string =>
  typeof index === 'number' || typeof index === 'string' ? String(index) : '';

class ResponseText {
  private readonly texts = new Map<string, string>();
  private choices = 0;

  get side(): CountedText {
    const { choices } = this;
    return { texts: [...this.texts.values()], framingTokens: 0, ...(choices > 0 && { choices }) };
  }

  read(payload: Fields): void {
    for (const choice of itemsOf(payload['choices'])) this.readChoice(fieldsOf(choice));
    for (const candidate of itemsOf(payload['candidates'])) this.readCandidate(fieldsOf(candidate));
    for (const item of itemsOf(payload['output'])) this.readItem(fieldsOf(item));
    this.readBlocks(payload['content']);
    this.readEvent(payload);
  }

  private readChoice(choice: Fields): void {
    const { index } = choice;
    if (Number.isSafeInteger(index ?? 0)) this.choices = Math.max(this.choices, ((index ?? 0) as number) + 1);
    const of = `choice ${labelOf(index)}`;
    const message = fieldsOf(choice['delta'] ?? choice['message']);
    this.add(of, choice['text']);
    this.add(of, message['content']);
    this.readBlocks(message['content']);
    this.add(`${of} reasoning`, message['reasoning_content'] ?? message['reasoning']);
    this.add(`${of} refusal`, message['refusal']);
    for (const item of [...itemsOf(message['tool_calls']), { function: message['function_call'] }]) {
      const { index, function: called, custom } = fieldsOf(item);
      const call = fieldsOf(called ?? custom);
      this.add(`${of} call ${labelOf(index)} name`, call['name']);
      this.add(`${of} call ${labelOf(index)}`, call['arguments'] ?? call['input']);
    }
  }

  private readCandidate(candidate: Fields): void {
    for (const item of itemsOf(fieldsOf(candidate['content'])['parts'])) {
      const part = fieldsOf(item);
      this.add(`candidate ${labelOf(candidate['index'])}`, part['text']);
      this.add('call', jsonOf(part['functionCall']));
    }
  }

  private readItem(item: Fields): void {
    this.readBlocks(item['content']);
    this.readBlocks(item['summary']);
    this.add('name', item['name']);
    for (const name of ['arguments', 'input', 'code']) this.add(name, item[name]);
  }

  private readBlocks(content: unknown): void {
    for (const item of itemsOf(content)) {
      const block = fieldsOf(item);
      this.add('block', block['text']);
      this.add('block', block['thinking']);
      this.add('block', block['refusal']);
      // Includes the provider's own tools: `server_tool_use`, `mcp_tool_use`.
      if (typeof block['type'] !== 'string' || !block['type'].endsWith('tool_use')) continue;
      this.add('block', block['name']);
      // Empty if the stream sends the input in pieces.
      const input = jsonOf(block['input'] ?? {});
      if (input !== '{}') this.add('block', input);
    }
  }

  /** Events of the messages and the responses formats. In the latter, `delta` is a string. Audio is not text. */
  private readEvent(event: Fields): void {
    const { type, delta } = event;
    if (typeof type !== 'string') return;
    if (type === 'content_block_start') this.readBlocks([event['content_block']]);
    if (type === 'response.output_item.added') this.add('name', fieldsOf(event['item'])['name']);
    if (!type.endsWith('delta') || type === 'response.audio.delta') return;
    const of = `${type} ${labelOf(event['output_index'])} ${labelOf(event['index'])}`;
    this.add(of, delta);
    const { text, thinking, partial_json: input } = fieldsOf(delta);
    for (const piece of [text, thinking, input]) this.add(of, piece);
  }

  private add(of: string, text: unknown): void {
    if (typeof text === 'string' && text !== '') this.texts.set(of, (this.texts.get(of) ?? '') + text);
  }
}
