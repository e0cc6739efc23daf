import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll } from '@jest/globals';
import http from 'node:http';
import OpenAI from 'openai';

import type { ScriptedProvider } from '../../sandbox/src/scripted/scripted-provider.js';
import { startSandbox } from '../../sandbox/src/server.js';

interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

interface SandboxUnderTest {
  readonly baseUrl: () => string;
  readonly get: (path: string, headers?: http.OutgoingHttpHeaders) => Promise<Reply>;
  readonly post: (path: string, body: unknown, headers?: http.OutgoingHttpHeaders) => Promise<Reply>;
}

export const KEY_HEADER = { authorization: 'Bearer any' };

export function useSandbox(): SandboxUnderTest {
  let sandbox: ScriptedProvider;
  const origin = (): string => new URL(sandbox.url).origin;

  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.stop());

  return {
    baseUrl: () => `${origin()}/v1`,
    get: (path, headers = KEY_HEADER) => exchange(`${origin()}${path}`, 'GET', '', headers),
    post: (path, body, headers = KEY_HEADER) =>
      exchange(`${origin()}${path}`, 'POST', typeof body === 'string' ? body : JSON.stringify(body), headers),
  };
}

function exchange(url: string, method: string, body: string, headers: http.OutgoingHttpHeaders): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const req = http.request(url, { method, headers }, (res) => {
      const pieces: Buffer[] = [];

      res.on('data', (piece: Buffer) => pieces.push(piece));
      res.on('error', reject);
      res.on('end', () => {
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(pieces).toString() });
      });
    });

    req.on('error', reject);
    req.end(body);
  });
}

/** Returns an OpenAI client for the sandbox that does not retry. */
export function openaiFor(sandbox: SandboxUnderTest): OpenAI {
  return new OpenAI({ baseURL: sandbox.baseUrl(), apiKey: 'any', maxRetries: 0 });
}

/** Returns an Anthropic client for the sandbox that does not retry. */
export function anthropicFor(sandbox: SandboxUnderTest): Anthropic {
  return new Anthropic({ baseURL: sandbox.baseUrl().replace(/\/v1$/, ''), apiKey: 'any', maxRetries: 0 });
}

/** Returns the payloads of a stream of server-sent events, including `[DONE]`. */
export function eventsOf(text: string): string[] {
  const events = text.split('\n\n');

  if (events.pop() !== '') throw new Error('the stream ends in the middle of an event');
  return events.map((event) => {
    if (!event.startsWith('data: ')) throw new Error(`not a data event: ${event}`);
    return event.slice('data: '.length);
  });
}
