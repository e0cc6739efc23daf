import type { SandboxRoute } from './exchange.js';
import { isMessagesVendor } from './vendor-of.js';

type Handle = SandboxRoute['handle'];

/**
 * A route on a path that both vendors have. The version header of the messages vendor chooses.
 *
 * @param messages the handler of the messages vendor
 */
export function both(method: SandboxRoute['method'], path: string, openai: Handle, messages: Handle): SandboxRoute {
  return {
    method,
    path,
    handle: (request) => (isMessagesVendor(path, request.headers) ? messages(request) : openai(request)),
  };
}
