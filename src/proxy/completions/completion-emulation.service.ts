import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import type { Candidate } from '../../model-policy/upstream-candidates.service.js';
import { ModelRegistry } from '../../model-policy/registry/model-registry.js';
import { parseResponse } from '../../platform/json/json-structure.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';
import { firstOf, type Rule } from '../../platform/validation/body-rules.js';
import type { ForwardPlan, ResponseConverter, StreamConverter, UpstreamPlans } from '../forward-plan.js';
import { chatBody, emulationRules, promptText } from './emulation.rules.js';
import type { CompletionRequest } from './completion.dto.js';
import { upstreamError } from '../../platform/errors/error-factories.js';
import type { GatewayError } from '../../platform/errors/gateway-error.js';
import { CompletionStream, type CompletionOptions } from './completion-stream.js';
import { hasCompletionsRoute, isChatOnly } from './native-route.rules.js';
import { completionPieces, echoOf, isChatPayload, textCompletion } from './text-completion.js';

const CHAT_PATH = '/chat/completions';
const UNCHANGED: ForwardPlan = {};

/** Decides for each upstream whether it gets a completion unchanged or emulated by a chat completion (D10). */
@Injectable()
export class CompletionEmulation {
  readonly isCurrentProfile: boolean;
  private readonly rules: readonly Rule<CompletionRequest>[];
  /** Candidates are kept for many requests. */
  private readonly emulated = new WeakMap<Candidate, boolean>();

  constructor(
    private readonly models: ModelRegistry,
    config: Config,
  ) {
    this.isCurrentProfile = config.isCurrentProfile;
    this.rules = emulationRules(config);
  }

  /** @param target the request's path and query */
  planOf(ctx: RequestContext, target: string): ForwardPlan {
    return { perUpstream: new CompletionPlans(ctx, target, this) };
  }

  isEmulatedAt(candidate: Candidate): boolean {
    let isEmulated = this.emulated.get(candidate);
    if (isEmulated === undefined) {
      isEmulated = this.decide(candidate);
      this.emulated.set(candidate, isEmulated);
    }
    return isEmulated;
  }

  /** @returns the first field that the emulation does not support (D11), or null */
  violationIn(asked: CompletionRequest): GatewayError | null {
    return firstOf(this.rules, asked, { lenient: false });
  }

  /** Legacy base models cannot chat, so their completions are never emulated. */
  private decide({ upstream: { completions, baseUrl }, model }: Candidate): boolean {
    if (completions === 'native') return false;
    const facts = this.models.lookup(model);
    if (facts?.legacyBase === true) return false;
    if (completions === 'emulated' || !this.isCurrentProfile) return true;
    return !hasCompletionsRoute(baseUrl) || (facts !== null && isChatOnly(model, facts));
  }
}

/** The plans of one request. The parsed body is released before a second attempt, so they keep only what the conversion needs. */
class CompletionPlans implements UpstreamPlans {
  private text = '';
  private converter: ResponseConverter | null = null;

  constructor(
    private readonly ctx: RequestContext,
    private readonly target: string,
    private readonly emulation: CompletionEmulation,
  ) {}

  servable(candidates: readonly Candidate[]): readonly Candidate[] {
    const native = candidates.filter((candidate) => !this.emulation.isEmulatedAt(candidate));
    if (native.length === candidates.length) return candidates;
    const asked = this.ctx.body.json as Readonly<Record<string, unknown>> & CompletionRequest;
    const violation = this.emulation.violationIn(asked);
    if (violation !== null) {
      if (native.length === 0) throw violation;
      return native;
    }
    this.text = promptText(asked.prompt);
    this.converter = new CompletionConverter({
      echo: asked.echo === true ? this.text : '',
      usageChunk: asked.stream_options?.include_usage === true,
    });
    return candidates;
  }

  planOf(candidate: Candidate, body: Buffer): ForwardPlan {
    if (this.converter === null || !this.emulation.isEmulatedAt(candidate)) return UNCHANGED;
    const query = this.target.indexOf('?');
    return {
      path: query === -1 ? CHAT_PATH : CHAT_PATH + this.target.slice(query),
      body: chatBody(body, this.text, this.emulation.isCurrentProfile),
      converter: this.converter,
    };
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
