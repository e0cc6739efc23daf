import type { SandboxRoute } from './exchange.js';
import { isMessagesVendor } from './vendor-of.js';

type Handle = SandboxRoute['handle'];

/** Returns a route on a path that both vendors use. The `anthropic-version` header selects Anthropic's handler. */
export function both(method: SandboxRoute['method'], path: string, openai: Handle, messages: Handle): SandboxRoute {
  return {
    method,
    path,
    handle: (request) => (isMessagesVendor(path, request.headers) ? messages(request) : openai(request)),
  };
}
