import type { Asked } from '../simulation/simulate.js';
import { textTurn, type Turn } from '../simulation/turn.js';
import { arrayOr, objectOr, optionalCount, optionalString } from '../wire/fields.js';
import { isJsonObject, type JsonObject } from '../wire/json-object.js';
import { missingParameter } from '../wire/vendor-error.js';
import { additionalTools, readInputItems, turnsOfItems } from './response-input.js';
import { readResponseToolChoice, readResponseTools } from './response-tools.js';

/** The default if a stored prompt or conversation replaces `model`. */
export const MODEL_DEFAULT = 'gpt-4.1';
/** These fields refer to a stored conversation or prompt. */
const STORED_CONTEXT = ['prompt', 'conversation', 'previous_response_id'];

/** The fields of a response request that the sandbox reads, and the fields that the response repeats. */
export interface ResponseRequest extends Asked {
  readonly model: string;
  /** Excludes earlier turns. */
  readonly input: readonly JsonObject[];
  readonly toolsJson: string;
  /** null without reasoning. */
  readonly reasoning: { readonly effort: unknown; readonly summarized: boolean; readonly encrypted: boolean } | null;
  readonly compacts: boolean;
  readonly store: boolean;
  readonly stream: boolean;
  readonly background: boolean;
  readonly conversationId: string | null;
  /** The fields that the response repeats from the request, or their defaults. */
  readonly echoed: JsonObject;
}

interface StoredContext {
  /** @throws VendorError 400 for an unknown response */
  readonly ofResponse: (id: string) => readonly Turn[];
  /** @throws VendorError 404 for an unknown conversation */
  readonly ofConversation: (id: string) => readonly Turn[];
}

/** @throws VendorError 400 for a body that the vendor rejects */
export function readResponseRequest(body: JsonObject, context: StoredContext): ResponseRequest {
  const stored = STORED_CONTEXT.some((name) => (body[name] ?? null) !== null);
  const model = optionalString(body, 'model') ?? (stored ? MODEL_DEFAULT : null);

  if (model === null) throw missingParameter('model');
  if ((body.input ?? null) === null && !stored) throw missingParameter('input');

  const input = readInputItems(body.input);
  const instructions = optionalString(body, 'instructions');
  const previousId = optionalString(body, 'previous_response_id');
  const conversationId = conversationOf(body.conversation);
  const before = previousId === null ? [] : context.ofResponse(previousId);
  const said = conversationId === null ? [] : context.ofConversation(conversationId);
  const system = instructions === null ? [] : [textTurn('system', instructions)];
  const offered = [...arrayOr(body.tools), ...additionalTools(input)];
  const format = objectOr(objectOr(body.text, {}).format ?? body.response_format, { type: 'text' });

  return {
    model,
    input,
    turns: [...system, ...before, ...said, ...turnsOfItems(input)],
    toolsJson: offered.length > 0 ? JSON.stringify(offered) : '',
    ...readResponseToolChoice(body.tool_choice, readResponseTools(offered)),
    parallel: body.parallel_tool_calls !== false,
    format: readFormat(format),
    stop: [],
    tokensMax: optionalCount(body, 'max_output_tokens'),
    reasoning: readReasoning(body, isJsonObject(body.reasoning) ? body.reasoning : null),
    compacts: input.at(-1)?.type === 'compaction_trigger',
    store: body.store !== false,
    stream: body.stream === true,
    background: body.background === true,
    conversationId,
    echoed: echoedOf(body, format, conversationId),
  };
}

function conversationOf(value: unknown): string | null {
  const id = isJsonObject(value) ? value.id : value;

  return typeof id === 'string' ? id : null;
}

function echoedOf(body: JsonObject, format: JsonObject, conversationId: string | null): JsonObject {
  const tier = body.service_tier ?? 'auto';

  return {
    access_programs: null,
    background: body.background ?? false,
    conversation: conversationId === null ? null : { id: conversationId },
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    prompt: body.prompt ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: { effort: null, summary: null, ...objectOr(body.reasoning, {}) },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: tier === 'auto' ? 'default' : tier,
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: { format, verbosity: objectOr(body.text, {}).verbosity ?? 'medium' },
    tool_choice: body.tool_choice ?? 'auto',
    tools: arrayOr(body.tools),
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? 'disabled',
    user: body.user ?? null,
    metadata: objectOr(body.metadata, {}),
  };
}

function readFormat(format: JsonObject): Asked['format'] {
  if (format.type === 'json_object') return 'json';
  if (format.type !== 'json_schema') return 'text';
  return { schema: format.schema ?? objectOr(format.json_schema, {}).schema };
}

function readReasoning(body: JsonObject, asked: JsonObject | null): ResponseRequest['reasoning'] {
  const summary = asked?.summary ?? asked?.generate_summary ?? null;

  if (asked === null || asked.effort === 'none' || (summary === null && (asked.effort ?? null) === null)) return null;
  return {
    effort: asked.effort ?? 'medium',
    summarized: summary !== null,
    encrypted: arrayOr(body.include).includes('reasoning.encrypted_content'),
  };
}
