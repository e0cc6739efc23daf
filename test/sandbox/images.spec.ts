import { describe, expect, test } from '@jest/globals';
import { crc32, inflateSync } from 'node:zlib';
import OpenAI, { toFile } from 'openai';

import { openaiFor, useSandbox } from '../support/sandbox-client.js';

const sandbox = useSandbox();
const prompt = 'a blue square';
const photo = (): Promise<File> => toFile(Buffer.from('x'), 'photo.png', { type: 'image/png' });

/** Returns the chunks of a PNG by type. Fails on a wrong checksum. */
function chunksOf(png: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>();

  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const typed = png.subarray(at + 4, at + 8 + length);

    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(typed));
    chunks.set(typed.toString('latin1', 0, 4), typed.subarray(4));
    at += 12 + length;
  }
  return chunks;
}

describe('images through the OpenAI SDK', () => {
  test('generated images are valid, different PNGs, and the response has usage', async () => {
    const asked = { model: 'gpt-image-1', prompt, n: 2 };
    const response = await openaiFor(sandbox).images.generate(asked);
    const [first, second] = (response.data ?? []).map((image) => Buffer.from(image.b64_json ?? '', 'base64'));
    const chunks = chunksOf(first ?? Buffer.alloc(0));

    expect(first?.toString('hex', 0, 8)).toBe('89504e470d0a1a0a');
    expect([...chunks.keys()]).toEqual(['IHDR', 'IDAT', 'IEND']);
    expect(inflateSync(chunks.get('IDAT') ?? '')).toHaveLength(16 * (16 * 3 + 1));
    expect(second?.equals(first ?? Buffer.alloc(0))).toBe(false);
    expect(response.usage?.input_tokens).toBe(3);
    expect(await openaiFor(sandbox).images.generate(asked)).toEqual(response);
  });

  test('an image URL can be opened without an API key', async () => {
    const response = await openaiFor(sandbox).images.generate({ model: 'dall-e-3', prompt });
    const url = response.data?.[0]?.url ?? '';
    const image = await fetch(url);

    expect(response.data?.[0]?.revised_prompt).toBe(prompt);
    expect(image.headers.get('content-type')).toBe('image/png');
    expect(chunksOf(Buffer.from(await image.arrayBuffer())).has('IEND')).toBe(true);
    expect((await fetch(url.replace('.png', '.bmp'))).status).toBe(404);
  });

  test.each([
    ['jpeg', 'ffd8ff'],
    ['webp', '52494646'],
  ] as const)('an image can be generated as %s', async (output_format, start) => {
    const response = await openaiFor(sandbox).images.generate({ model: 'gpt-image-1', prompt, output_format });

    expect(Buffer.from(response.data?.[0]?.b64_json ?? '', 'base64').toString('hex', 0, start.length / 2)).toBe(start);
  });

  test('a streamed image sends partial images first', async () => {
    const events: OpenAI.ImageGenStreamEvent[] = [];

    for await (const event of await openaiFor(sandbox).images.generate({
      model: 'gpt-image-1',
      prompt,
      stream: true,
      partial_images: 2,
    })) {
      events.push(event);
    }
    expect(events.map((event) => event.type)).toEqual([
      'image_generation.partial_image',
      'image_generation.partial_image',
      'image_generation.completed',
    ]);
    expect(events.at(-1)).toMatchObject({ usage: { output_tokens: 272 } });
  });

  test('one or several images can be edited, buffered and streamed', async () => {
    const client = openaiFor(sandbox);
    const one = await client.images.edit({ image: await photo(), prompt, n: 2, response_format: 'url' });
    const several = await client.images.edit({
      image: [await photo(), await photo()],
      prompt,
      model: 'gpt-image-1',
    });
    const events: OpenAI.ImageEditStreamEvent[] = [];

    for await (const event of await client.images.edit({
      image: await photo(),
      prompt,
      stream: true,
      partial_images: 1,
    })) {
      events.push(event);
    }
    expect(one.data?.map((image) => typeof image.url)).toEqual(['string', 'string']);
    expect(several.usage?.input_tokens_details.image_tokens).toBe(2 * 194);
    expect(events.map((event) => event.type)).toEqual(['image_edit.partial_image', 'image_edit.completed']);
  });

  test.each<[string, object]>([
    ['a missing prompt', { prompt: undefined }],
    ['two images from a model that supports only one', { model: 'dall-e-3', n: 2 }],
    ['eleven images', { n: 11 }],
    ['a chat model', { model: 'gpt-4o' }],
  ])('an image request is rejected for %s', async (_what, change) => {
    const rejection = openaiFor(sandbox).images.generate({ model: 'gpt-image-1', prompt, ...change, stream: false });

    await expect(rejection).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  });
});
