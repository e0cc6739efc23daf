import { itemsOf, membersOf, parsedObject, textsOfCutJson, TextCollector, type SideText } from './side-text.js';

/** A message's marks and its role; and the beginning of the answer, which counts as input. As chat models are billed. */
const MESSAGE_TOKENS = 4;
const ANSWER_START_TOKENS = 3;
/** A tool's result within a message needs two. */
const DEPTH_MAX = 4;

/**
 * What a request says to the model, in any of the formats: messages, system and instructions, prompt or input, tools. Not images,
 * audio and files, and not what the upstream adds from a conversation that it keeps.
 */
export function requestText(body: Uint8Array): SideText {
  const request = parsedObject(body);
  if (request === null) return textsOfCutJson(body);
  const collector = new TextCollector();
  addContent(collector, request['system']);
  addContent(collector, request['instructions']);
  addTexts(collector, request['prompt']);
  addInput(collector, request['input']);
  for (const message of itemsOf(request['messages'])) addMessage(collector, message);
  for (const tool of [...itemsOf(request['tools']), ...itemsOf(request['functions'])]) {
    addTool(collector, tool);
  }
  if (request['messages'] !== undefined) collector.addFraming(ANSWER_START_TOKENS);
  return collector.side;
}

/** A string or strings, each for itself: embeddings and prompts. */
function addTexts(collector: TextCollector, value: unknown): void {
  collector.add(value);
  for (const item of itemsOf(value)) collector.add(item);
}

function addInput(collector: TextCollector, input: unknown): void {
  collector.add(input);
  for (const item of itemsOf(input)) {
    if (typeof item === 'string') collector.add(item);
    else addMessage(collector, item);
  }
}

/** A message of any format, or an item of the responses format: calls and their results are items of their own there. */
function addMessage(collector: TextCollector, value: unknown): void {
  const message = membersOf(value);
  collector.addFraming(MESSAGE_TOKENS);
  addName(collector, message['name']);
  addContent(collector, message['content']);
  addContent(collector, message['output']);
  addContent(collector, message['summary']);
  collector.add(message['arguments']);
  collector.add(message['refusal']);
  collector.add(message['reasoning_content']);
  for (const call of itemsOf(message['tool_calls'])) addCall(collector, membersOf(call)['function']);
  addCall(collector, message['function_call']);
}

function addName(collector: TextCollector, name: unknown): void {
  collector.add(name);
  if (name !== undefined) collector.addFraming(1);
}

/** A function in the wrapper of the chat format or without; of other tools all that is said. */
function addTool(collector: TextCollector, tool: unknown): void {
  const { name, description, ...rest } = membersOf(membersOf(tool)['function'] ?? tool);
  const parameters = rest['parameters'] ?? rest['input_schema'];
  addName(collector, name);
  collector.add(description);
  // How providers write a schema for the model is not known: its JSON comes near.
  collector.addJson(parameters ?? rest);
}

function addCall(collector: TextCollector, value: unknown): void {
  const call = membersOf(value);
  collector.add(call['name']);
  collector.add(call['arguments']);
}

/** Text, or blocks of it. What a block holds in other members is media. */
function addContent(collector: TextCollector, content: unknown, depth = 0): void {
  collector.add(content);
  if (depth === DEPTH_MAX) return;
  for (const item of itemsOf(content)) {
    const block = membersOf(item);
    collector.add(block['text']);
    collector.add(block['thinking']);
    collector.add(block['refusal']);
    if (block['type'] === 'tool_use') {
      collector.add(block['name']);
      collector.addJson(block['input']);
    }
    // A tool's result, or a document whose source is text: text that the model reads.
    addContent(collector, block['content'], depth + 1);
    const source = membersOf(block['source']);
    if (source['type'] === 'text') collector.add(source['data']);
  }
}
