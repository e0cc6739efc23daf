import { Injectable } from '@nestjs/common';
import { canonicalId } from '../../../model-policy/registry/canonical-id.js';
import { ModelRegistry } from '../../../model-policy/registry/model-registry.js';
import { isObject, type JsonObject } from '../../../platform/validation/check.js';

/** The makers whose APIs bill reasoning that responses do not contain. Others stream all of it. */
const HIDING_MAKERS: ReadonlySet<string | null> = new Set(['openai', 'anthropic', 'google', 'xai']);

/** Claude models before version 5 think only if the request asks for it. Later ones think by default. */
const REASON_IF_ASKED = /^claude-(?:3-7|4|(?:opus|sonnet|haiku)-4)(?:-|$)/;
const REASONING_FIELDS = [
  'thinking',
  'reasoning',
  'reasoning_effort',
  'max_reasoning_tokens',
  'output_config',
  'effort',
] as const;

/** Whether the body asks for reasoning, even if it does so in the format of another vendor. */
export const asksForReasoning = (json: JsonObject | null): boolean =>
  json !== null && REASONING_FIELDS.some((name) => (json[name] ?? null) !== null && !isDisabled(json[name]));

const isDisabled = (value: unknown): boolean => isObject(value) && value['type'] === 'disabled';

/** Determines whether the output of a request can be larger than the text that arrives. */
@Injectable()
export class HiddenReasoning {
  constructor(private readonly registry: ModelRegistry) {}

  /**
   * A model that the registry does not know can hide reasoning.
   * @param models all models that might have served the request
   * @param asked the result of `asksForReasoning`
   */
  isPossible(models: readonly string[], asked: boolean): boolean {
    return models.length === 0 || models.some((model) => this.canHide(model, asked));
  }

  private canHide(model: string, asked: boolean): boolean {
    const facts = this.registry.lookup(model);
    if (facts === null) return true;
    if (!facts.flags.reasoning || !HIDING_MAKERS.has(facts.provider)) return false;
    return asked || !REASON_IF_ASKED.test(canonicalId(model)?.name ?? '');
  }
}
