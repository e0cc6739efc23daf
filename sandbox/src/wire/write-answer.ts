import type { ServerResponse } from 'node:http';

import { sendEvents } from './event-stream.js';
import type { SandboxAnswer } from './answer.js';

/** Writes one answer whole. Resolves too when the client went away meanwhile. */
export async function writeAnswer(res: ServerResponse, answer: SandboxAnswer): Promise<void> {
  switch (answer.kind) {
    case 'json': {
      const body = Buffer.from(JSON.stringify(answer.body));

      res.writeHead(answer.status, {
        'content-type': 'application/json',
        'content-length': body.length,
        ...answer.headers,
      });
      res.end(body);
      return;
    }
    case 'bytes':
      res.writeHead(200, {
        'content-type': answer.contentType,
        'content-length': answer.bytes.length,
        ...(answer.disposition === undefined ? {} : { 'content-disposition': answer.disposition }),
      });
      res.end(answer.bytes);
      return;
    case 'events':
      res.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
      });
      await sendEvents(res, answer.frames);
      return;
    default:
      return answer satisfies never;
  }
}
