import { describe, expect, test } from '@jest/globals';
import { toFile } from 'openai';

import { openaiFor, useSandbox } from '../support/sandbox-client.js';

const sandbox = useSandbox();
const sound = (): Promise<File> => toFile(Buffer.alloc(32_000), 'a.wav');

describe('media for current clients', () => {
  test('an audio file can be translated', async () => {
    const { translations } = openaiFor(sandbox).audio;

    expect(await translations.create({ file: await sound(), model: 'whisper-1' })).toMatchObject({
      text: expect.stringContaining('a.wav'),
    });
    expect(
      await translations.create({ file: await sound(), model: 'whisper-1', response_format: 'verbose_json' }),
    ).toMatchObject({ task: 'translate', duration: 2 });
  });

  test('an audio file can be transcribed by speaker, buffered and streamed', async () => {
    const { transcriptions } = openaiFor(sandbox).audio;
    const asked = { model: 'gpt-4o-transcribe-diarize', response_format: 'diarized_json' as const };
    const whole = await transcriptions.create({ ...asked, file: await sound() });
    const types = new Set<string>();

    for await (const { type } of await transcriptions.create({ ...asked, file: await sound(), stream: true })) {
      types.add(type);
    }
    expect(whole).toMatchObject({
      task: 'transcribe',
      segments: [{ type: 'transcript.text.segment', speaker: 'A', start: 0, end: 2 }],
      usage: { type: 'tokens' },
    });
    expect([...types]).toEqual(['transcript.text.delta', 'transcript.text.segment', 'transcript.text.done']);
  });

  test('variations of an image can be generated', async () => {
    const image = await toFile(Buffer.from('x'), 'a.png', { type: 'image/png' });
    const { data } = await openaiFor(sandbox).images.createVariation({ image, n: 2 });

    expect(data).toMatchObject([{ url: expect.stringContaining('/sandbox/images/') }, {}]);
  });

  test.each([
    ['gif', 'GIF89a'],
    ['svg', '<svg'],
  ] as const)('an image can be generated as %s', async (output_format, start) => {
    const { data } = await openaiFor(sandbox).images.generate({ model: 'gpt-image-2', prompt: 'x', output_format });

    expect(
      Buffer.from(data?.[0]?.b64_json ?? '', 'base64')
        .toString()
        .startsWith(start),
    ).toBe(true);
  });

  test('token IDs can be embedded as shortened vectors', async () => {
    const { embeddings } = openaiFor(sandbox);
    const asked = { model: 'text-embedding-4-small', dimensions: 8 };
    const one = await embeddings.create({ ...asked, input: [9906, 1917] });
    const two = await embeddings.create({ ...asked, input: [[9906, 1917], [9906]] });

    expect(one.usage.prompt_tokens).toBe(2);
    expect(two.data.map(({ embedding }) => embedding.length)).toEqual([8, 8]);
    expect(two.usage.prompt_tokens).toBe(3);
  });

  test('moderation returns one result per text, and one for all parts of an input', async () => {
    const { moderations } = openaiFor(sandbox);
    const { results } = await moderations.create({ input: ['fine', 'sandbox-flagged'] });
    const mixed = await moderations.create({
      input: [{ type: 'text', text: 'fine' }],
      model: 'omni-moderation-latest',
    });

    expect(results).toMatchObject([{ flagged: false }, { flagged: true, categories: { violence: true, hate: false } }]);
    expect(mixed.results).toHaveLength(1);
  });

  test('a client secret for a realtime session can be created', async () => {
    const { clientSecrets } = openaiFor(sandbox).realtime;
    const made = await clientSecrets.create({ session: { type: 'realtime', model: 'gpt-realtime-2' } });

    expect(made).toMatchObject({
      value: expect.stringMatching(/^ek_/),
      session: { object: 'realtime.session', type: 'realtime', model: 'gpt-realtime-2' },
    });
    await expect(clientSecrets.create({ session: { type: 'realtime', model: 'tts-1' } })).rejects.toMatchObject({
      status: 400,
    });
  });
});
