import type { JsonObject } from '../../validation/check.js';
import { either, object, required } from '../../validation/compound-kinds.js';
import { EnumField, Field, NumberField, StringField } from '../../validation/fields.js';
import { modelName } from '../../validation/model-name.rules.js';
import { Rules, type Rule } from '../../validation/rules.decorator.js';
import { string } from '../../validation/scalar-kinds.js';
import { unsupportedValue } from '../../errors/catalogue.js';

const TEXT_LENGTH_MAX = 4096;

/** Providers add voices faster than any list, so each name passes (D30). */
const voice = either({ string: string({ min: 1 }), object: object({ id: required(string()) }) });

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

/** Body of POST /v1/audio/speech. Its fields stand in the order in which violations are told (D1). */
@Rules(classicSpeechModels)
export class SpeechRequest {
  @Field(modelName, {
    required: true,
    readByGateway: 'required',
    description: 'Id of a text-to-speech model.',
    example: 'gpt-4o-mini-tts',
  })
  model: string;

  @StringField({ required: true, max: TEXT_LENGTH_MAX, description: 'The text to speak.', example: 'Hello.' })
  input: string;

  @Field(voice, { required: true, description: 'Name of a voice, or the id of a custom one.', example: 'alloy' })
  voice: string | JsonObject;

  @StringField({ max: TEXT_LENGTH_MAX, description: 'How to speak; not for tts-1 and tts-1-hd.' })
  instructions?: string | null;

  @EnumField(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'], { byDefault: 'mp3' })
  response_format?: string | null;

  @NumberField({ min: 0.25, max: 4, byDefault: 1 })
  speed?: number | null;

  @EnumField(['audio', 'sse'], { description: '`sse` is not for tts-1 and tts-1-hd.' })
  stream_format?: string | null;
}
