import type { UsageReaderName } from '../../routes/route-spec.js';

/** `gen_ai.operation.name`. A route without a usage reader does not call a model. */
export const OPERATIONS: Readonly<Record<Exclude<UsageReaderName, 'units'>, string>> = {
  chat: 'chat',
  completions: 'text_completion',
  messages: 'chat',
  responses: 'chat',
  embeddings: 'embeddings',
  media: 'generate_content',
};

/** `gen_ai.provider.name` by API, because the account's actual provider is unknown */
export const PROVIDERS = { openai: 'openai', anthropic: 'anthropic' } as const;

type Kind = 'integer' | 'number' | 'word';

export interface RequestParameter {
  readonly attribute: string;
  readonly kind: Kind;
  /** Fields in order of preference. `a.b` is a field of an object. */
  readonly fields: readonly string[];
}

/**
 * Parameters of the request body that become attributes: numbers, and words from a fixed vocabulary. Stop sequences, tools and
 * messages are text of the caller, so no span contains them (D24).
 */
export const REQUEST_PARAMETERS: readonly RequestParameter[] = [
  integer('gen_ai.request.max_tokens', 'max_completion_tokens', 'max_output_tokens', 'max_tokens'),
  number('gen_ai.request.temperature', 'temperature'),
  number('gen_ai.request.top_p', 'top_p'),
  integer('gen_ai.request.top_k', 'top_k'),
  number('gen_ai.request.frequency_penalty', 'frequency_penalty'),
  number('gen_ai.request.presence_penalty', 'presence_penalty'),
  integer('gen_ai.request.seed', 'seed'),
  integer('gen_ai.embeddings.dimension.count', 'dimensions'),
  word('gen_ai.request.reasoning.level', 'reasoning_effort', 'reasoning.effort', 'output_config.effort'),
];

/** `gen_ai.output.type` by the format that the request asks for. */
export const OUTPUT_TYPES: ReadonlyMap<unknown, string> = new Map([
  ['text', 'text'],
  ['json_object', 'json'],
  ['json_schema', 'json'],
]);

function integer(attribute: string, ...fields: string[]): RequestParameter {
  return { attribute, kind: 'integer', fields };
}

function number(attribute: string, ...fields: string[]): RequestParameter {
  return { attribute, kind: 'number', fields };
}

function word(attribute: string, ...fields: string[]): RequestParameter {
  return { attribute, kind: 'word', fields };
}
