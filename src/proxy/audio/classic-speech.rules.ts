import { unsupportedValue } from '../../errors/catalogue.js';
import type { Rule } from '../../validation/rules.decorator.js';

/** The two classic text-to-speech models, also under their maker's name (D11). */
const CLASSIC = /(?:^|\/)tts-1(?:-hd)?$/;

interface Speech {
  readonly model: string;
  readonly instructions?: string | null;
  readonly stream_format?: string | null;
}

/** They take no instructions and send no events. `unsupported_value`. */
export const classicSpeechModels: Rule<Speech> = ({ model, instructions, stream_format: format }) => {
  if (!CLASSIC.test(model)) return null;
  if (typeof instructions === 'string') return unsupportedValue('instructions', 'left out');
  return format === 'sse' ? unsupportedValue('stream_format', "'audio'") : null;
};
