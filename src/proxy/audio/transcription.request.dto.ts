import type { FormFile } from '../../validation/form-kinds.js';
import {
  FormEnumField,
  FormField,
  FormFileField,
  FormListField,
  FormNumberField,
  FormTextField,
} from '../../validation/form-fields.js';
import { modelName } from '../../validation/model-name.rules.js';
import { oneOf } from '../../validation/scalar-kinds.js';

/** Form of POST /v1/audio/transcriptions. Its fields stand in the order in which violations are told (D1). */
export class TranscriptionRequest {
  @FormFileField({ required: true, description: 'The audio, 25 MB at most: mp3, mp4, mpeg, mpga, m4a, wav, webm …' })
  file: FormFile;

  @FormField(modelName, {
    required: true,
    readByGateway: 'required',
    description: 'Id of a transcription model.',
    example: 'whisper-1',
  })
  model: string;

  @FormTextField({ pattern: /^[A-Za-z]{2}$/, expected: 'two letters (ISO 639-1)', example: 'en' })
  language?: string;

  @FormTextField({ description: 'Text that leads the style, or what was said before.' })
  prompt?: string;

  @FormEnumField(['json', 'text', 'srt', 'verbose_json', 'vtt'], { byDefault: 'json' })
  response_format?: string;

  @FormNumberField({ min: 0, max: 1 })
  temperature?: string;

  @FormListField(oneOf('word', 'segment'))
  'timestamp_granularities[]'?: string[];
}
