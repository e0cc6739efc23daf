import type { IncomingMessage, ServerResponse } from 'node:http';
import { discardUnreadBody } from '../../platform/patches/node-unread-body.js';
import { limitUnreadTime } from '../../platform/patches/node-unread-response.js';

/** Discards the rest of the request body (D1), and disconnects a client that does not read the response (D22). */
export function prepareOwnResponse(req: IncomingMessage, res: ServerResponse, bytesMax: number): void {
  discardUnreadBody(req, res, bytesMax);
  limitUnreadTime(res);
}
