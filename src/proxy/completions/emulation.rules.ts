import { invalidValue } from '../../errors/catalogue.js';
import type { ModelFacts } from '../../model-policy/registry/model-facts.js';
import type { Rule } from '../../validation/rules.decorator.js';
import { olderReasoningSampling } from '../chat/chat-fields.rules.js';
import type { Kind } from '../../validation/check.js';
import { neverTaken, prompt, type CompletionRequest } from './completion.request.dto.js';
import { echoOf } from './text-completion.js';
import { removeTopLevelMembers } from '../../json/top-level-members.js';
import { skipSpace } from '../../json/json-scan.js';

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

/** The fields that the emulation converts or cannot honour. The field tables check them too, unless the provider validates. */
const CONVERTED: Readonly<Record<'prompt' | 'best_of' | 'logprobs', Kind>> = {
  prompt,
  best_of: neverTaken,
  logprobs: neverTaken,
};

const convertedFields: Rule<CompletionRequest> = (body, mode) => {
  for (const [name, { check }] of Object.entries(CONVERTED)) {
    const value = body[name as keyof typeof CONVERTED] ?? undefined;
    const violation = value === undefined ? null : check(value, name, mode);
    if (violation !== null) return violation;
  }
  return null;
};

/** A base model is asked as it came; a completion of any other is made of a chat completion (D10). */
export const isEmulated = (facts: ModelFacts | null): boolean => facts?.legacyBase !== true;

/** Rules of an emulated completion. A base model is called natively and has none of them (D11). */
export const EMULATION_RULES: readonly Rule<CompletionRequest>[] = [olderReasoningSampling, echoedPrompts];

/** The same with `GW_VALIDATION=provider`: only what the conversion itself needs. */
export const CONVERSION_RULES: readonly Rule<CompletionRequest>[] = [convertedFields, echoedPrompts];

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Cut out: the chat body has `messages` of its own, and a second one would be a second reading of it (D29). */
const REPLACED = ['prompt', 'echo', 'messages'];

/**
 * The chat body that a completions body becomes (D10): `content` put in as the message of a user, where `prompt` and
 * `echo` are cut out. Every other byte stays as the client wrote it, so that a number keeps all its digits.
 * @param body a JSON object that `JSON.parse` has taken
 */
export function chatBody(body: Buffer, content: string): Buffer {
  const rest = removeTopLevelMembers(body, REPLACED);
  const inside = rest.indexOf(OPEN_BRACE) + 1;
  const comma = rest[skipSpace(rest, inside)] === CLOSE_BRACE ? '' : ',';
  const messages = JSON.stringify([{ role: 'user', content }]);
  return Buffer.concat([
    rest.subarray(0, inside),
    Buffer.from(`"messages":${messages}${comma}`),
    rest.subarray(inside),
  ]);
}

/** The one text that `prompt` stands for: entries are joined by an empty line, left out or null it is empty. */
export function promptText(prompt: string | readonly string[] | null | undefined): string {
  return typeof prompt === 'string' ? prompt : (prompt ?? []).join('\n\n');
}
