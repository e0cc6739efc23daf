import type { Fingerprint } from '../simulation/fingerprint.js';
import { sampleFromSchema } from '../simulation/schema-sample.js';
import { tokensOf } from '../simulation/tokens.js';
import { isJsonObject } from '../wire/json-object.js';
import type { ChatRequest, ChatTool } from './chat-request.js';
import { replyText } from './chat-reply.js';
import { type ChatUsage, chatUsage } from './chat-usage.js';

export interface ChatChoice {
  readonly index: number;
  /** The tool that is called, whose arguments the tokens are; null for text. */
  readonly call: { readonly id: string; readonly name: string } | null;
  /** They join to the whole content, or to the arguments as JSON. */
  readonly tokens: readonly string[];
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
}

/** An answer before it is written, buffered or streamed: both say the same and cost the same. */
export interface ChatAnswer {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly serviceTier: string;
  readonly choices: readonly ChatChoice[];
  readonly usage: ChatUsage;
}

export function answerChat(request: ChatRequest, fingerprint: Fingerprint): ChatAnswer {
  const tool = chooseTool(request);
  const choices = Array.from({ length: request.choices }, (_, index) =>
    tool === undefined ? textChoice(request, index) : callChoice(request, index, tool, fingerprint),
  );

  return {
    id: fingerprint.id('chatcmpl-', 29),
    created: fingerprint.created,
    model: request.model,
    serviceTier: request.serviceTier,
    choices,
    usage: chatUsage(request, choices),
  };
}

/** A tool is called once for what the user said; what the tool gave back is answered with text. */
function chooseTool({ messages, tools, toolChoice }: ChatRequest): ChatTool | undefined {
  if (toolChoice === 'none' || messages.at(-1)?.role !== 'user') return undefined;
  return toolChoice === 'auto' ? tools[0] : tools.find((tool) => tool.name === toolChoice.name);
}

function callChoice(request: ChatRequest, index: number, tool: ChatTool, fingerprint: Fingerprint): ChatChoice {
  const sampled = sampleFromSchema(tool.parameters, lastUserText(request));
  const tokens = tokensOf(JSON.stringify(isJsonObject(sampled) ? sampled : {}));
  const call = { id: fingerprint.id('call_', 24, `call ${index}`), name: tool.name };

  return { index, call, ...withinLimit(tokens, request.tokensMax, 'tool_calls') };
}

function textChoice(request: ChatRequest, index: number): ChatChoice {
  const text = cutAtStop(contentOf(request, index), request.stop);

  return { index, call: null, ...withinLimit(tokensOf(text), request.tokensMax, 'stop') };
}

function contentOf(request: ChatRequest, index: number): string {
  const { format } = request;

  if (format === 'text') return replyText(request.messages, index);
  if (format === 'json') return JSON.stringify({ sandbox: true, message: replyText(request.messages, index) });
  return JSON.stringify(sampleFromSchema(format.schema, lastUserText(request)));
}

function withinLimit<Whole extends ChatChoice['finishReason']>(
  tokens: readonly string[],
  tokensMax: number | null,
  whole: Whole,
): Pick<ChatChoice, 'tokens' | 'finishReason'> {
  if (tokensMax === null || tokens.length <= tokensMax) return { tokens, finishReason: whole };
  return { tokens: tokens.slice(0, tokensMax), finishReason: 'length' };
}

function cutAtStop(text: string, stops: readonly string[]): string {
  const ends = stops.map((stop) => text.indexOf(stop)).filter((end) => end >= 0);

  return text.slice(0, Math.min(text.length, ...ends));
}

function lastUserText({ messages }: ChatRequest): string {
  return messages.findLast((message) => message.role === 'user')?.text ?? '';
}
