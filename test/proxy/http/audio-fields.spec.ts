import { describe, expect, test } from '@jest/globals';
import { SpeechRequest, TranscriptionRequest } from '../../../src/proxy/audio/audio.dto.js';
import { compileRules } from '../../../src/platform/validation/body-rules.js';
import { FormFile } from '../../../src/platform/validation/form-kinds.js';
import { names, needed, numbers, passes, rejected, type Row } from '../../support/field-rows.js';
import { fileRows, formNames, formTexts, violationOrder, violationBy } from './form-rows.js';

const SPEECH = { model: 'gpt-4o-mini-tts', input: 'Hello.', voice: 'alloy' };
const AUDIO = new FormFile('a.mp3', 10);
const TRANSCRIPTION = { file: AUDIO, model: 'whisper-1' };
const classic = (patch: object) => ({ model: 'tts-1', ...patch });

const SPEECH_TABLE: Record<string, Row[]> = {
  model: [
    ...passes('model', ['', 'm'.repeat(200)]),
    ...rejected('invalid_value', 'model', ['m'.repeat(201)]),
    ...needed('model', [5, true, [], {}]),
  ],
  input: [
    ...passes('input', ['', 'x'.repeat(4096), '🌍'.repeat(4096)]),
    ...rejected('invalid_value', 'input', ['x'.repeat(4097), '🌍'.repeat(4097)]),
    ...needed('input', [5, true, ['a'], {}]),
  ],
  voice: [
    ...['alloy', 'ash', 'ballad', 'cedar', 'coral', 'echo', 'fable', 'marin', 'nova', 'onyx'].flatMap((voice) =>
      passes('voice', [voice]),
    ),
    ...passes('voice', ['sage', 'shimmer', 'verse', 'somebody-else', { id: 'voice_1' }, { id: 'v', more: 1 }]),
    ...rejected('invalid_value', 'voice', ['']),
    ...needed('voice', [5, true, ['alloy']]),
    ...rejected('missing_required_parameter', 'voice.id', [{}], (voice) => ({ voice })),
    ...rejected('invalid_type', 'voice.id', [1, null, {}], (id) => ({ voice: { id } })),
  ],
  instructions: [
    ...passes('instructions', ['', 'x'.repeat(4096), null]),
    ...rejected('invalid_value', 'instructions', ['x'.repeat(4097)]),
    ...rejected('invalid_type', 'instructions', [5, true, ['a'], {}]),
    ...rejected('unsupported_value', 'instructions', ['slowly'], (instructions) => classic({ instructions })),
    ...rejected('unsupported_value', 'instructions', ['tts-1-hd', 'openai/tts-1'], (model) => ({
      model,
      instructions: 'slowly',
    })),
    ...passes('instructions', ['tts-1-x', 'my-tts-1', 'tts-1-hd-2'], (model) => ({ model, instructions: 'slowly' })),
    ...passes('instructions', [null, undefined], (instructions) => classic({ instructions })),
  ],
  response_format: names('response_format', ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']),
  speed: [...numbers('speed', { min: 0.25, max: 4 }), ...passes('speed', [1])],
  stream_format: [
    ...names('stream_format', ['audio', 'sse']),
    ...rejected('unsupported_value', 'stream_format', ['tts-1', 'tts-1-hd'], (model) => ({
      model,
      stream_format: 'sse',
    })),
    ...passes('stream_format', ['audio'], (stream_format) => classic({ stream_format })),
  ],
};

const TRANSCRIPTION_TABLE: Record<string, Row[]> = {
  file: fileRows('file', { required: true }),
  model: [
    ...rejected('missing_required_parameter', 'model', [undefined]),
    ...formTexts('model', ['', 'm'.repeat(200)], ['m'.repeat(201)]),
  ],
  language: formTexts('language', ['en', 'de', 'DE'], ['', 'e', 'eng', 'e1', 'en-US', 'é!', 'en\n']),
  prompt: formTexts('prompt', ['', 'x'.repeat(10_000)], []),
  response_format: formNames('response_format', ['json', 'text', 'srt', 'verbose_json', 'vtt']),
  temperature: [
    ...passes('temperature', ['0', '1', '0.5', '1.0', '.5', '1.', '5e-1', '+0.2', '-0']),
    ...rejected('invalid_value', 'temperature', ['1.01', '-0.1', '2', '1e9', '9'.repeat(400), ['0', '0']]),
    ...rejected('invalid_type', 'temperature', [
      '',
      'hot',
      'NaN',
      'Infinity',
      '0x1',
      '1,0',
      ' 1',
      '1 ',
      '.',
      '1e',
      AUDIO,
    ]),
  ],
  'timestamp_granularities[]': [
    ...passes('timestamp_granularities[]', ['word', 'segment', ['word', 'segment'], ['word', 'word']]),
    ...rejected('invalid_value', 'timestamp_granularities', ['char', '', 'Word', ['word', 'x']], (value) => ({
      'timestamp_granularities[]': value,
    })),
    ...rejected('invalid_type', 'timestamp_granularities', [AUDIO, ['word', AUDIO]], (value) => ({
      'timestamp_granularities[]': value,
    })),
  ],
};

describe.each([
  { what: 'a speech request', Dto: SpeechRequest, base: SPEECH, table: SPEECH_TABLE },
  { what: 'a transcription request', Dto: TranscriptionRequest, base: TRANSCRIPTION, table: TRANSCRIPTION_TABLE },
])('fields of $what', ({ Dto, base, table }) => {
  const violationOf = violationBy(compileRules(Dto), base);

  test.each(Object.keys(table))('%s accepts and rejects the values of its table', (field) => {
    const rows = table[field] ?? [];
    expect(rows.map(({ patch }) => [patch, violationOf(patch)])).toEqual(rows.map((row) => [row.patch, row.violation]));
  });

  test('the first violation in the order of the table is reported', () => {
    const wrong = Object.fromEntries(Object.keys(table).map((field) => [field, base === SPEECH ? 7 : ['?', '?']]));
    expect(violationOrder(violationOf, wrong, base)).toEqual(
      Object.keys(table).map((field) => field.replace('[]', '')),
    );
  });
});

describe('GW_VALIDATION=lenient', () => {
  test('accepts unknown names in closed lists and relaxes no other rule', () => {
    const speech = violationBy(compileRules(SpeechRequest, { lenient: true }), SPEECH);
    expect(speech({ response_format: 'ogg', stream_format: 'ws' })).toBeNull();
    expect(speech({ speed: 9 })).toBe('invalid_value speed');
    const form = violationBy(compileRules(TranscriptionRequest, { lenient: true }), TRANSCRIPTION);
    expect(form({ response_format: 'diarized_json', 'timestamp_granularities[]': ['char'] })).toBeNull();
    expect(form({ temperature: '7' })).toBe('invalid_value temperature');
    expect(form({ language: 'eng' })).toBe('invalid_value language');
  });
});
