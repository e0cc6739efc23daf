import { upstreamError } from '../../errors/error-catalog.js';
import type { ResponseConverter, StreamConverter } from '../forward-plan.js';
import { CompletionStream, type CompletionOptions } from './completion-stream.js';
import { completionPieces, echoOf, isChatPayload, textCompletion } from './text-completion.js';

export class CompletionConverter implements ResponseConverter {
  constructor(private readonly wish: CompletionOptions) {}

  /** @throws GatewayError `upstream_error` if the body is not a chat completion */
  buffered(body: Buffer): readonly Buffer[] {
    const answer = parsed(body);
    if (!isChatPayload(answer)) throw upstreamError('The upstream did not return a chat completion.');
    return completionPieces(textCompletion(answer), echoOf(this.wish.echo));
  }

  stream(): StreamConverter {
    return new CompletionStream(this.wish);
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return null;
  }
}
