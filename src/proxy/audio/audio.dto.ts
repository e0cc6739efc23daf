import type { JsonObject } from '../../platform/validation/check.js';
import { either, object, required } from '../../platform/validation/compound-kinds.js';
import { EnumField, Field, NumberField, StringField } from '../../platform/validation/fields.js';
import { modelName } from '../../platform/validation/model-name.rules.js';
import { Rules, type Rule } from '../../platform/validation/body-rules.js';
import { string, oneOf } from '../../platform/validation/scalar-kinds.js';
import { unsupportedValue } from '../../platform/errors/error-factories.js';
import {
  type FormFile,
  FormEnumField,
  FormField,
  FormFileField,
  FormListField,
  FormNumberField,
  FormTextField,
} from '../../platform/validation/form-kinds.js';

export class TranscriptionRequest {
  @FormFileField({
    required: true,
    description: 'The audio file, at most 25 MiB: mp3, mp4, mpeg, mpga, m4a, wav, webm …',
  })
  file: FormFile;

  @FormField(modelName, {
    required: true,
    readByGateway: 'required',
    description: 'ID of a transcription model.',
    example: 'whisper-1',
  })
  model: string;

  @FormTextField({ pattern: /^[A-Za-z]{2}$/, expected: 'two letters (ISO 639-1)', example: 'en' })
  language?: string;

  @FormTextField({ description: 'Text that guides the style, or the preceding transcript.' })
  prompt?: string;

  @FormEnumField(['json', 'text', 'srt', 'verbose_json', 'vtt'], { byDefault: 'json' })
  response_format?: string;

  @FormNumberField({ min: 0, max: 1 })
  temperature?: string;

  @FormListField(oneOf('word', 'segment'))
  'timestamp_granularities[]'?: string[];
}

const TEXT_LENGTH_MAX = 4096;

/** Any name is accepted, because providers often add voices (D30). */
const voice = either({ string: string({ min: 1 }), object: object({ id: required(string()) }) });

const CLASSIC = /(?:^|\/)tts-1(?:-hd)?$/;

interface Speech {
  readonly model: string;
  readonly instructions?: string | null;
  readonly stream_format?: string | null;
}

/** Rejects `instructions` and event streams for the classic models (D11). */
const classicSpeechModels: Rule<Speech> = ({ model, instructions, stream_format: format }) => {
  if (!CLASSIC.test(model)) return null;
  if (typeof instructions === 'string') return unsupportedValue('instructions', 'omitted');
  return format === 'sse' ? unsupportedValue('stream_format', "'audio'") : null;
};

@Rules(classicSpeechModels)
export class SpeechRequest {
  @Field(modelName, {
    required: true,
    readByGateway: 'required',
    description: 'ID of a text-to-speech model.',
    example: 'gpt-4o-mini-tts',
  })
  model: string;

  @StringField({ required: true, max: TEXT_LENGTH_MAX, description: 'The text to speak.', example: 'Hello.' })
  input: string;

  @Field(voice, { required: true, description: 'Name of a voice, or the ID of a custom voice.', example: 'alloy' })
  voice: string | JsonObject;

  @StringField({
    max: TEXT_LENGTH_MAX,
    description: 'Instructions for the voice. Not supported by tts-1 and tts-1-hd.',
  })
  instructions?: string | null;

  @EnumField(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'], { byDefault: 'mp3' })
  response_format?: string | null;

  @NumberField({ min: 0.25, max: 4, byDefault: 1 })
  speed?: number | null;

  @EnumField(['audio', 'sse'], { description: '`sse` is not supported by tts-1 and tts-1-hd.' })
  stream_format?: string | null;
}
