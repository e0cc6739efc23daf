import type { ServerResponse } from 'node:http';

import { sendEvents } from './event-stream.js';
import type { SandboxAnswer } from './exchange.js';

const VENDOR_HEADERS = { 'openai-version': '2020-10-01' };

/** Writes one answer whole. Resolves too when the client went away meanwhile. */
export async function writeAnswer(res: ServerResponse, answer: SandboxAnswer): Promise<void> {
  switch (answer.kind) {
    case 'json': {
      const body = Buffer.from(JSON.stringify(answer.body));

      res.writeHead(answer.status, {
        ...VENDOR_HEADERS,
        'content-type': 'application/json',
        'content-length': body.length,
      });
      res.end(body);
      return;
    }
    case 'events':
      res.writeHead(200, {
        ...VENDOR_HEADERS,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
      });
      await sendEvents(res, answer.frames);
      return;
    default:
      return answer satisfies never;
  }
}
