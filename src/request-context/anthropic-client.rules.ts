import type { IncomingMessage } from 'node:http';

/** Anthropic's SDKs send this header on every path, including those of OpenAI. */
export const speaksAnthropic = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['anthropic-version'] !== undefined;
