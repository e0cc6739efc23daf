export type Api = 'chat' | 'responses' | 'messages';

/** One request for a model's answer, in whichever of the three APIs the client speaks. */
export interface Turn {
  readonly api: Api;
  readonly body: Record<string, unknown>;
  readonly model: string;
  readonly streamed: boolean;
  /** Names of the tools that the client offers. */
  readonly tools: readonly string[];
  /** The client asks for a compacted form of the conversation by an item of the Responses API. */
  readonly compacts: boolean;
  /** The conversation's last message or item, as JSON. */
  readonly lastMessage: string;
  /** Results of tool calls in the conversation. */
  readonly toolResults: number;
}

/** The provider's answer to a turn. */
export type Reply =
  | { readonly kind: 'text'; readonly text: string; readonly inputTokens?: number }
  | { readonly kind: 'tool'; readonly name: string; readonly input: unknown; readonly inputTokens?: number }
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly body: object;
      readonly headers?: Record<string, string>;
    };

export interface Usage {
  readonly input: number;
  readonly output: number;
}

/** A reply in the form of its API: one JSON document, or server-sent events. */
export interface Encoded {
  readonly json: object;
  readonly events: readonly string[];
}

const APIS: Readonly<Record<string, Api>> = {
  'POST /v1/chat/completions': 'chat',
  'POST /v1/responses': 'responses',
  'POST /v1/messages': 'messages',
};

/** @returns undefined for requests that ask for something else */
export function turnOf(route: string, text: string): Turn | undefined {
  const api = APIS[route];
  if (api === undefined) return undefined;
  const body = JSON.parse(text) as Record<string, unknown>;
  const tools = Array.isArray(body.tools) ? (body.tools as Tool[]) : [];
  return {
    api,
    body,
    model: String(body.model),
    streamed: body.stream === true,
    tools: tools.map((tool) => tool.name ?? tool.function?.name ?? tool.custom?.name ?? tool.type ?? ''),
    compacts: api === 'responses' && /"type":\s*"compaction_trigger"/.test(text),
    lastMessage: JSON.stringify([body.messages ?? body.input ?? []].flat().at(-1) ?? ''),
    toolResults: text.match(TOOL_RESULTS[api])?.length ?? 0,
  };
}

interface Tool {
  readonly type?: string;
  readonly name?: string;
  readonly function?: { readonly name?: string };
  readonly custom?: { readonly name?: string };
}

const TOOL_RESULTS: Readonly<Record<Api, RegExp>> = {
  chat: /"role":\s*"tool"/g,
  responses: /"type":\s*"(?:function|custom_tool)_call_output"/g,
  messages: /"type":\s*"tool_result"/g,
};

/** Cuts a text as a model's tokens would: a word with its blank at a time. */
export function deltasOf(text: string): readonly string[] {
  return text.match(/\S+\s*/g) ?? [''];
}
