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
