import type { IncomingMessage } from 'node:http';

/** Anthropic's SDKs send this header on every path, including those of OpenAI. */
export const isAnthropicClient = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['anthropic-version'] !== undefined;
