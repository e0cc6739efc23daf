import type { IncomingMessage, ServerResponse } from 'node:http';
import { limitUnreadTime } from './unread-response.js';
import { discardUnreadBody } from './unread-body.js';

/**
 * Before each answer of the gateway's own, whoever writes it: what the client still sends is thrown away (D1), and a client
 * that takes nothing is not waited for (D22).
 * @param bytesMax of body that this request may have
 */
export function prepareOwnResponse(req: IncomingMessage, res: ServerResponse, bytesMax: number): void {
  discardUnreadBody(req, res, bytesMax);
  limitUnreadTime(res);
}
