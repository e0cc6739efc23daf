import type { IncomingMessage } from 'node:http';

/** Whether the client uses Anthropic's API. Anthropic's SDKs send this header on every path, including those of OpenAI. */
export const speaksAnthropic = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['anthropic-version'] !== undefined;
