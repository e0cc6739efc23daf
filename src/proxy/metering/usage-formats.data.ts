import type { UsageReaderName } from '../../routes/route-spec.js';
import type { FigureNames } from './usage-report.js';

/** How the responses of a kind of route report their usage. */
export interface UsageReader extends FigureNames {
  /** The text that is counted if nothing is reported. `nothing`: input and output are not text, or not billed as text. */
  readonly estimates: 'request and answer' | 'request' | 'nothing';
  /** A stream reports its input and its output in separate events, so a single figure is a part of the report. */
  readonly inParts?: true;
  /** Responses may be sound or plain text. Only JSON and event streams are searched for a report. */
  readonly maybeMedia?: true;
}

const CHAT: UsageReader = {
  estimates: 'request and answer',
  input: ['prompt_tokens', 'input_tokens'],
  output: ['completion_tokens', 'output_tokens'],
};

const RESPONSES: UsageReader = {
  estimates: 'request and answer',
  input: ['input_tokens', 'prompt_tokens'],
  output: ['output_tokens', 'completion_tokens'],
};

/** The usage readers, by the name that a route declares (D14). Names of figures are in order of preference. */
export const USAGE_FORMATS: Readonly<Record<UsageReaderName, UsageReader>> = {
  chat: CHAT,
  // Emulated completions are read before they are converted, so both kinds have the chat format's report.
  completions: CHAT,
  // Input comes with `message_start`, output with `message_delta`. Tokens of prompt caches have other names and are not counted.
  messages: { ...RESPONSES, inParts: true, steps: 'iterations' },
  responses: RESPONSES,
  // Some providers report the total only, which is the input.
  embeddings: { estimates: 'request', input: ['prompt_tokens', 'input_tokens', 'total_tokens'], output: [] },
  // Images, speech and transcriptions.
  media: { ...RESPONSES, estimates: 'nothing', maybeMedia: true },
};
