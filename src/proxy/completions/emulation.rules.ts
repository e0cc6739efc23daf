import { invalidValue } from '../../platform/errors/error-factories.js';
import type { ModelFacts } from '../../model-policy/registry/model-facts.js';
import type { Rule } from '../../platform/validation/rules.decorator.js';
import { olderReasoningSampling } from '../chat/chat-field-kinds.js';
import type { Kind } from '../../platform/validation/check.js';
import { unsupportedField, prompt, type CompletionRequest } from './completion.dto.js';
import { echoOf } from './text-completion.js';
import { removeTopLevelFields } from '../../platform/json/top-level-fields.js';
import { skipSpace } from '../../platform/json/json-scan.js';

const ECHOED_BYTES_MAX = 64 * 1024 * 1024;
/** The longest JSON encoding of a UTF-16 code unit: `\u0001`. */
const CHARACTER_BYTES_MAX = 6;

/** A prompt is echoed once per choice, so a prompt of a few megabytes could become gigabytes. */
const echoedPrompts: Rule<CompletionRequest> = ({ prompt, echo, n }) => {
  if (echo !== true) return null;
  const text = promptText(prompt);
  const times = n ?? 1;
  if (text.length * CHARACTER_BYTES_MAX * times <= ECHOED_BYTES_MAX) return null;
  return echoOf(text).length * times > ECHOED_BYTES_MAX
    ? invalidValue('n', 'smaller, because the echoed prompts would exceed 64 MiB in total')
    : null;
};

/** `CompletionRequest` checks them too, except with `GW_VALIDATION=provider`. */
const CONVERTED: Readonly<Record<'prompt' | 'best_of' | 'logprobs', Kind>> = {
  prompt,
  best_of: unsupportedField,
  logprobs: unsupportedField,
};

const convertedFields: Rule<CompletionRequest> = (body, mode) => {
  for (const [name, { check }] of Object.entries(CONVERTED)) {
    const value = body[name as keyof typeof CONVERTED] ?? undefined;
    const violation = value === undefined ? null : check(value, name, mode);
    if (violation !== null) return violation;
  }
  return null;
};

/** All models except base models are emulated by a chat completion (D10). */
export const isEmulated = (facts: ModelFacts | null): boolean => facts?.legacyBase !== true;

export const EMULATION_RULES: readonly Rule<CompletionRequest>[] = [olderReasoningSampling, echoedPrompts];

/** The rules that the conversion needs even with `GW_VALIDATION=provider`. */
export const CONVERSION_RULES: readonly Rule<CompletionRequest>[] = [convertedFields, echoedPrompts];

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** `messages` too, because parsers disagree on which of two to use (D29). */
const REPLACED = ['prompt', 'echo', 'messages'];

/** All other bytes stay unchanged, so numbers keep all their digits (D10). `JSON.parse` must have accepted `body`. */
export function chatBody(body: Buffer, content: string): Buffer {
  const rest = removeTopLevelFields(body, REPLACED);
  const inside = rest.indexOf(OPEN_BRACE) + 1;
  const comma = rest[skipSpace(rest, inside)] === CLOSE_BRACE ? '' : ',';
  const messages = JSON.stringify([{ role: 'user', content }]);
  return Buffer.concat([
    rest.subarray(0, inside),
    Buffer.from(`"messages":${messages}${comma}`),
    rest.subarray(inside),
  ]);
}

export function promptText(prompt: string | readonly string[] | null | undefined): string {
  return typeof prompt === 'string' ? prompt : (prompt ?? []).join('\n\n');
}
