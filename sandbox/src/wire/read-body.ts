import type { IncomingMessage } from 'node:http';

import { bodyTooLarge } from './vendor-error.js';

export const BODY_BYTES_MAX = 64 * 1024 * 1024;

/** The client closed its connection before its request was whole: there is nobody to answer. */
export class ClientGone extends Error {}

/** The whole body. Rejects with a 413 beyond `BODY_BYTES_MAX`, with `ClientGone` when it never comes whole. */
export function readBody(req: IncomingMessage): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > BODY_BYTES_MAX) return Promise.reject(bodyTooLarge(BODY_BYTES_MAX));

  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let bytes = 0;

    req.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes <= BODY_BYTES_MAX) {
        pieces.push(piece);
        return;
      }
      // The rest is read and thrown away: a client in the middle of its upload sees the answer, not a broken pipe.
      pieces.length = 0;
      reject(bodyTooLarge(BODY_BYTES_MAX));
    });
    req.on('end', () => resolve(Buffer.concat(pieces)));
    req.on('error', () => reject(new ClientGone()));
    req.on('close', () => reject(new ClientGone()));
  });
}
