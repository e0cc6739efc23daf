export type Api = 'chat' | 'responses' | 'messages';

/** A request for model output, in any of the three APIs. */
export interface Turn {
  readonly api: Api;
  readonly body: Record<string, unknown>;
  readonly model: string;
  readonly streamed: boolean;
  readonly tools: readonly string[];
  /** Whether the input contains a `compaction_trigger` item of the Responses API. */
  readonly compacts: boolean;
  /** The last message or item of the conversation, as JSON. */
  readonly lastMessage: string;
  readonly toolResults: number;
}

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

/** A reply in the format of its API: a JSON document and server-sent events. */
export interface Encoded {
  readonly json: object;
  readonly events: readonly string[];
}

const APIS: Readonly<Record<string, Api>> = {
  'POST /v1/chat/completions': 'chat',
  'POST /v1/responses': 'responses',
  'POST /v1/messages': 'messages',
};

/** @returns undefined for a request that does not ask for model output */
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

/** Splits text into words with their trailing whitespace, like the tokens of a stream. */
export function deltasOf(text: string): readonly string[] {
  return text.match(/\S+\s*/g) ?? [''];
}
