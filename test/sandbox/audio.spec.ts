import { describe, expect, test } from '@jest/globals';
import OpenAI, { toFile } from 'openai';

import { eventsOf, openaiFor, useSandbox } from '../support/sandbox-client.js';

const sandbox = useSandbox();
const speech = { model: 'gpt-4o-mini-tts', input: 'Good morning', voice: 'alloy' };
const song = (): Promise<File> => toFile(Buffer.alloc(32_000), 'song.wav', { type: 'audio/wav' });

describe('speech through the OpenAI SDK', () => {
  test.each<[OpenAI.Audio.SpeechCreateParams['response_format'], string, string]>([
    [undefined, 'audio/mpeg', 'fff3'],
    ['mp3', 'audio/mpeg', 'fff3'],
    ['opus', 'audio/ogg', '4f676753'],
    ['aac', 'audio/aac', 'fff1'],
    ['flac', 'audio/flac', '664c6143'],
    ['wav', 'audio/wav', '52494646'],
    ['pcm', 'audio/pcm', '0000'],
  ])('speech with response_format %s has the content type %s', async (format, contentType, start) => {
    const response = await openaiFor(sandbox).audio.speech.create({ ...speech, response_format: format });
    const bytes = Buffer.from(await response.arrayBuffer());

    expect(response.headers.get('content-type')).toBe(contentType);
    expect(bytes.toString('hex', 0, start.length / 2)).toBe(start);
  });

  test('a WAV file has a valid header and audible samples', async () => {
    const response = await openaiFor(sandbox).audio.speech.create({ ...speech, response_format: 'wav' });
    const bytes = Buffer.from(await response.arrayBuffer());

    expect(bytes.toString('latin1', 8, 16)).toBe('WAVEfmt ');
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
    expect(bytes.readUInt32LE(24)).toBe(24_000);
    expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44);
    expect(new Set(bytes.subarray(44)).size).toBeGreaterThan(100);
  });

  test('streamed speech has the same bytes as buffered speech, and usage', async () => {
    const asked = { ...speech, response_format: 'wav' as const };
    const whole = Buffer.from(await (await openaiFor(sandbox).audio.speech.create(asked)).arrayBuffer());
    const response = await openaiFor(sandbox).audio.speech.create({ ...asked, stream_format: 'sse' });
    const events = eventsOf(await response.text()).map((event) => JSON.parse(event));
    const pieces = events.slice(0, -1).map((event) => Buffer.from(event.audio, 'base64'));

    expect(Buffer.concat(pieces).equals(whole)).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: 'speech.audio.done', usage: { input_tokens: 2 } });
  });

  test.each<[string, object]>([
    ['a missing voice', { voice: undefined }],
    ['an input that is too long', { input: 'a'.repeat(4097) }],
    ['an unknown format', { response_format: 'ogg' }],
    ['a stream from a model that cannot stream', { model: 'tts-1', stream_format: 'sse' }],
    ['a chat model', { model: 'gpt-4o' }],
  ])('speech is rejected for %s', async (_what, change) => {
    const rejection = openaiFor(sandbox).audio.speech.create({ ...speech, ...change });

    await expect(rejection).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  });
});

describe('transcriptions through the OpenAI SDK', () => {
  const text = 'This is the sandbox. It received song.wav with 32000 bytes and did not listen.';

  test('a JSON transcript names the file and reports seconds or tokens, depending on the model', async () => {
    const client = openaiFor(sandbox);
    const timed = await client.audio.transcriptions.create({ model: 'whisper-1', file: await song() });
    const counted = await client.audio.transcriptions.create({ model: 'gpt-4o-transcribe', file: await song() });

    expect(timed).toEqual({ text, usage: { type: 'duration', seconds: 2 } });
    expect(counted).toMatchObject({ text, usage: { type: 'tokens' } });
  });

  test.each([
    ['text', `${text}\n`],
    ['srt', `1\n00:00:00,000 --> 00:00:02,000\n${text}\n\n`],
    ['vtt', `WEBVTT\n\n00:00:00.000 --> 00:00:02.000\n${text}\n\n`],
  ] as const)('a transcript can have the format %s', async (format, expected) => {
    const asked = { model: 'whisper-1', file: await song(), response_format: format };

    expect(await openaiFor(sandbox).audio.transcriptions.create(asked)).toBe(expected);
  });

  test('a verbose transcript has segments by default and words on request', async () => {
    const asked = { model: 'whisper-1', file: await song(), response_format: 'verbose_json' as const };
    const plain = await openaiFor(sandbox).audio.transcriptions.create({ ...asked, language: 'de' });
    const words = await openaiFor(sandbox).audio.transcriptions.create({
      ...asked,
      timestamp_granularities: ['word'],
    });

    expect(plain).toMatchObject({ language: 'de', duration: 2, segments: [{ start: 0, end: 2 }] });
    expect(plain.words).toBeUndefined();
    expect(words.segments).toBeUndefined();
    expect(words.words?.at(0)).toMatchObject({ word: 'This', start: 0 });
    expect(words.words?.at(-1)).toMatchObject({ word: 'listen', end: 2 });
  });

  test('a streamed transcript has the same text as a buffered one', async () => {
    let joined = '';
    const asked = { model: 'gpt-4o-transcribe', file: await song(), stream: true as const };

    for await (const event of await openaiFor(sandbox).audio.transcriptions.create(asked)) {
      if (event.type === 'transcript.text.delta') joined += event.delta;
      else expect(event).toMatchObject({ type: 'transcript.text.done', text });
    }
    expect(joined).toBe(text);
  });

  test('a transcription without a file or with a chat model is rejected', async () => {
    const asked = { model: 'gpt-4o', file: await song() };
    const reply = await sandbox.post('/v1/audio/transcriptions', {});

    await expect(openaiFor(sandbox).audio.transcriptions.create(asked)).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    expect(reply.status).toBe(400);
  });
});
