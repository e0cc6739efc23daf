import { invalidValue } from '../../errors/catalogue.js';
import type { Rule } from '../../validation/rules.decorator.js';
import { olderReasoningSampling } from '../chat/older-reasoning.rules.js';
import { promptText } from './chat-body.js';
import type { CompletionRequest } from './completion.request.dto.js';

/** Characters of prompts in one answer. */
const ECHOED_MAX = 64 * 1024 * 1024;

/** An echoed prompt comes back once for each choice, so a few megabytes asked for a thousand times would be gigabytes here. */
const echoedPrompts: Rule<CompletionRequest> = ({ prompt, echo, n }) =>
  echo === true && promptText(prompt).length * (n ?? 1) > ECHOED_MAX
    ? invalidValue('n', 'lower: the echoed prompts would be too long together')
    : null;

/** What holds where a completion is emulated, and not for a base model that is asked itself (D11). */
export const EMULATION_RULES: readonly Rule<CompletionRequest>[] = [olderReasoningSampling, echoedPrompts];
