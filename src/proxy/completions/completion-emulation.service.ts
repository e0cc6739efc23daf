import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { UpstreamCandidates } from '../../model-policy/upstream-candidates.service.js';
import { ModelRegistry } from '../../model-policy/registry/model-registry.js';
import { parseResponse } from '../../platform/json/json-structure.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';
import { firstOf, type Rule } from '../../platform/validation/rules.decorator.js';
import type { ForwardPlan, ResponseConverter, StreamConverter } from '../forward-plan.js';
import { chatBody, promptText, CONVERSION_RULES, EMULATION_RULES, isEmulated } from './emulation.rules.js';
import type { CompletionRequest } from './completion.dto.js';
import { upstreamError } from '../../platform/errors/error-factories.js';
import { CompletionStream, type CompletionOptions } from './completion-stream.js';
import { completionPieces, echoOf, isChatPayload, textCompletion } from './text-completion.js';

const CHAT_PATH = '/chat/completions';
const UNCHANGED: ForwardPlan = {};

/** Decides whether a completion is forwarded unchanged or emulated by a chat completion (D10). */
@Injectable()
export class CompletionEmulation {
  private readonly rules: readonly Rule<CompletionRequest>[];

  constructor(
    private readonly models: ModelRegistry,
    private readonly candidates: UpstreamCandidates,
    config: Config,
  ) {
    this.rules = config.validation === 'provider' ? CONVERSION_RULES : EMULATION_RULES;
  }

  /** @throws GatewayError 400 for field values that the emulation does not support (D11) */
  planOf({ body }: RequestContext, target: string): ForwardPlan {
    const asked = body.json as Readonly<Record<string, unknown>> & CompletionRequest;
    if (!isEmulated(this.models.lookup(this.meaningOf(asked.model)))) return UNCHANGED;
    const violation = firstOf(this.rules, asked, { lenient: false });
    if (violation !== null) throw violation;
    const text = promptText(asked.prompt);
    const query = target.indexOf('?');
    return {
      path: query === -1 ? CHAT_PATH : CHAT_PATH + target.slice(query),
      body: chatBody(body.bytes!, text),
      converter: new CompletionConverter({
        echo: asked.echo === true ? text : '',
        usageChunk: asked.stream_options?.include_usage === true,
      }),
    };
  }

  /** Replaces an alias with the model of its first upstream, because bodies are not converted again for another upstream. */
  private meaningOf(model: string): string {
    return this.candidates.of(model, 'openai').candidates[0]?.model ?? model;
  }
}

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
    return parseResponse(body);
  } catch {
    return null;
  }
}
