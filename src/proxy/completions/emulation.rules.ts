import type { Config } from '../../platform/config/config.js';
import { invalidValue, unsupportedParameter, unsupportedValue } from '../../platform/errors/error-factories.js';
import type { Rule } from '../../platform/validation/body-rules.js';
import { olderReasoningSampling } from '../chat/chat-field-kinds.js';
import { prompt, type CompletionRequest } from './completion.dto.js';
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

/** `CompletionRequest` checks it too, except with `GW_VALIDATION=provider`. */
const textPrompt: Rule<CompletionRequest> = ({ prompt: given }, mode) =>
  given === undefined || given === null ? null : prompt.check(given, 'prompt', mode);

const noUnsupportedField: Rule<CompletionRequest> = ({ best_of: bestOf, logprobs }) => {
  if (isGiven(bestOf)) return unsupportedParameter('best_of');
  return isGiven(logprobs) ? unsupportedParameter('logprobs') : null;
};

const EMULATED = 'the completions of this model are emulated by chat completions';

/** A chat completion has one prompt, and joined prompts would be a different request. */
const onePrompt: Rule<CompletionRequest> = ({ prompt: given }) =>
  Array.isArray(given) && given.length > 1 ? unsupportedValue('prompt', `one prompt, because ${EMULATED}`) : null;

interface AnyCompletionRequest extends CompletionRequest {
  readonly suffix?: unknown;
}

/** Accepts values without an effect. */
const noEffectiveField: Rule<AnyCompletionRequest> = ({ best_of: bestOf, logprobs, suffix }) => {
  if (isGiven(bestOf) && bestOf !== 1) return unsupportedParameter('best_of', EMULATED);
  if (isGiven(logprobs)) return unsupportedParameter('logprobs', EMULATED);
  return isGiven(suffix) && suffix !== '' ? unsupportedParameter('suffix', EMULATED) : null;
};

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The requirements of the emulation, in addition to the fields that `CompletionRequest` has checked. */
export function emulationRules({
  isCurrentProfile,
  validation,
}: Pick<Config, 'isCurrentProfile' | 'validation'>): readonly Rule<CompletionRequest>[] {
  const ofProfile = isCurrentProfile ? [onePrompt, noEffectiveField] : [];
  if (validation !== 'provider') return [...ofProfile, olderReasoningSampling, echoedPrompts];
  return isCurrentProfile ? [textPrompt, ...ofProfile, echoedPrompts] : [textPrompt, noUnsupportedField, echoedPrompts];
}

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** `messages` too, because parsers disagree on which of two to use (D29). */
const REPLACED = ['prompt', 'echo', 'messages'];
/** Their values have no effect, but providers reject fields that chat completions do not have. */
const REPLACED_IN_CURRENT = [...REPLACED, 'best_of', 'logprobs', 'suffix'];

/** All other bytes stay unchanged, so numbers keep all their digits (D10). `JSON.parse` must have accepted `body`. */
export function chatBody(body: Buffer, content: string, isCurrentProfile: boolean): Buffer {
  const rest = removeTopLevelFields(body, isCurrentProfile ? REPLACED_IN_CURRENT : REPLACED);
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
