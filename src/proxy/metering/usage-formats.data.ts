import type { UsageReaderName } from '../../platform/routes/route-spec.js';
import type { TokenCountFields } from './usage-report.js';

export interface UsageReader extends TokenCountFields {
  /** The text that is counted if usage is not reported. `nothing` if neither side is billed as text. */
  readonly estimates: 'request and response' | 'request' | 'nothing';
  /** A stream reports input and output in separate events, so a report can have a single count. */
  readonly inParts?: true;
  /** The output can contain calls of hosted tools, which are billed each. */
  readonly toolCalls?: true;
  /** Responses can be audio or plain text. Only JSON and event streams are searched for usage. */
  readonly maybeMedia?: true;
}

const CHAT: UsageReader = {
  estimates: 'request and response',
  input: ['prompt_tokens', 'input_tokens'],
  output: ['completion_tokens', 'output_tokens'],
};

const RESPONSES: UsageReader = {
  estimates: 'request and response',
  input: ['input_tokens', 'prompt_tokens'],
  output: ['output_tokens', 'completion_tokens'],
};

/** Field names are in order of preference (D14). */
export const USAGE_FORMATS: Readonly<Record<UsageReaderName, UsageReader>> = {
  chat: CHAT,
  // Emulated completions are metered before they are converted, so both kinds report usage in the chat format.
  completions: CHAT,
  // `message_start` reports the input, `message_delta` the output. Prompt cache tokens have other fields and are not counted.
  messages: { ...RESPONSES, inParts: true, steps: 'iterations' },
  responses: { ...RESPONSES, toolCalls: true },
  // Some providers report only the total, which equals the input.
  embeddings: { estimates: 'request', input: ['prompt_tokens', 'input_tokens', 'total_tokens'], output: [] },
  media: { ...RESPONSES, estimates: 'nothing', maybeMedia: true },
  units: { estimates: 'nothing', input: [], output: [], maybeMedia: true },
};
