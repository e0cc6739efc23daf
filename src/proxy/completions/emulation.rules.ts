import { invalidValue } from '../../errors/catalogue.js';
import type { ModelFacts } from '../../model-policy/registry/model-facts.js';
import type { Rule } from '../../validation/rules.decorator.js';
import { olderReasoningSampling } from '../chat/older-reasoning.rules.js';
import { promptText } from './chat-body.js';
import type { CompletionRequest } from './completion.request.dto.js';
import { echoOf } from './text-completion.js';

/** Bytes of prompts in one answer, as JSON writes them. */
const ECHOED_BYTES_MAX = 64 * 1024 * 1024;
/** The most that JSON makes of a character: `\\u0001`. */
const CHARACTER_BYTES_MAX = 6;

/** An echoed prompt comes back once for each choice: a few megabytes asked for a thousand times would be gigabytes. */
const echoedPrompts: Rule<CompletionRequest> = ({ prompt, echo, n }) => {
  if (echo !== true) return null;
  const text = promptText(prompt);
  const times = n ?? 1;
  if (text.length * CHARACTER_BYTES_MAX * times <= ECHOED_BYTES_MAX) return null;
  return echoOf(text).length * times > ECHOED_BYTES_MAX
    ? invalidValue('n', 'lower: the echoed prompts would be too long together')
    : null;
};

/** A base model is asked as it came; a completion of any other is made of a chat completion (D10). */
export const isEmulated = (facts: ModelFacts | null): boolean => facts?.legacyBase !== true;

/** What holds where a completion is emulated, and not for a base model that is asked itself (D11). */
export const EMULATION_RULES: readonly Rule<CompletionRequest>[] = [olderReasoningSampling, echoedPrompts];
