import { upstreamError } from '../../errors/error-factories.js';
import type { ResponseConverter, StreamConverter } from '../forward-plan.js';
import { CompletionStream, type CompletionOptions } from './completion-stream.js';
import { completionPieces, echoOf, isChatPayload, textCompletion } from './text-completion.js';

export class CompletionConverter implements ResponseConverter {
  constructor(private readonly options: CompletionOptions) {}

  /** @throws GatewayError `upstream_error` if the body is not a chat completion */
  buffered(body: Buffer): readonly Buffer[] {
    const completion = parsed(body);
    if (!isChatPayload(completion))
      throw upstreamError('The upstream did not return a chat completion. Use POST /v1/chat/completions.');
    return completionPieces(textCompletion(completion), echoOf(this.options.echo));
  }

  stream(): StreamConverter {
    return new CompletionStream(this.options);
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return null;
  }
}
