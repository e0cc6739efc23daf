import type { IncomingMessage } from 'node:http';

/** Whether the client uses Anthropic's API: its SDKs send this header with every request, on paths that OpenAI has too. */
export const speaksAnthropic = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['anthropic-version'] !== undefined;
