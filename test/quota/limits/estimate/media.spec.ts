import { describe, expect, test } from '@jest/globals';
import { base64, bytesOf, full, messages, text, typical, wavHead } from './estimates.js';

describe('media', () => {
  const image = (more = {}) => ({
    type: 'image_url',
    image_url: { url: `data:image/png;base64,${base64(300_000)}`, ...more },
  });

  test.each([
    ['chat', 'gpt-4o', [image()], { typical: 1600, full: 5000 }],
    ['chat with low detail', 'gpt-4o', [image({ detail: 'low' })], { typical: 300, full: 300 }],
    [
      'chat by address',
      'gpt-4o',
      [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }],
      { typical: 1600, full: 5000 },
    ],
    [
      'responses',
      'gpt-4o-mini',
      [{ type: 'input_image', image_url: `data:image/png;base64,${base64(3000)}` }],
      { typical: 25_501, full: 48_169 },
    ],
    [
      'messages',
      'claude-sonnet-4-5',
      [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64(9000) } }],
      { typical: 1600, full: 5000 },
    ],
    [
      'a tool result',
      'claude-sonnet-4-5',
      [
        {
          type: 'tool_result',
          tool_use_id: 'x',
          content: [{ type: 'image', source: { type: 'base64', data: base64(9000) } }],
        },
      ],
      { typical: 1600, full: 5000 },
    ],
  ])('counts an image by its model, not by its bytes: %s', (_, model, content, expected) => {
    const json = { model, messages: messages(content) };
    const [likely, most] = [typical({ json, model }), full({ json, model })];
    expect({ typical: likely.image_input, full: most.image_input }).toEqual(expected);
    expect(most.input).toBeLessThan(400);
  });

  test('counts audio by its length', () => {
    const part = { type: 'input_audio', input_audio: { data: base64(399_999), format: 'mp3' } };
    const json = { messages: messages([part]) };
    expect(typical({ json }).audio_input).toBe(3200);
    expect(full({ json }).audio_input).toBe(17_067);
  });

  test('reads the length of a WAV file from its header', () => {
    const wav = Buffer.concat([wavHead(48_000), Buffer.alloc(480_000 - 44)]);
    const json = {
      messages: messages([{ type: 'input_audio', input_audio: { data: wav.toString('base64'), format: 'wav' } }]),
    };
    expect(typical({ json }).audio_input).toBe(320);
    expect(full({ json }).audio_input).toBe(320);
  });

  test('counts a document by its bytes, up to the context window', () => {
    const part = (bytes: number) => ({
      type: 'file',
      file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${base64(bytes)}` },
    });
    const json = (bytes: number) => ({ messages: messages([part(bytes)]) });
    const tokens = (bytes: number, of: typeof typical) =>
      of({ json: json(bytes) }).input! - of({ json: json(30) }).input!;
    expect(tokens(80_000, typical)).toBeGreaterThan(9_000);
    expect(tokens(80_000, typical)).toBeLessThan(11_000);
    expect(full({ json: json(3_000_000) }).input).toBeLessThan(129_000);
  });

  test('counts a document of plain text as text', () => {
    const source = { type: 'text', media_type: 'text/plain', data: 'AAAA'.repeat(2000) };
    const json = { messages: messages([{ type: 'document', source }]) };
    expect(full({ json }).input).toBe(bytesOf(json) + 4);
  });

  test('counts an encoded document of plain text as text', () => {
    const file = { filename: 'a.txt', file_data: `data:text/plain;base64,${base64(6000)}` };
    const json = { messages: messages([{ type: 'file', file }]) };
    expect(typical({ json }).input).toBeGreaterThanOrEqual(Math.ceil(bytesOf(json) / 2.5));
  });

  test('counts images in more than 20,000 objects as text, so that the search stays short', () => {
    const json = { messages: messages(Array.from({ length: 30_000 }, () => ({ type: 'image' }))) };
    expect(full({ json }).image_input).toBeLessThanOrEqual(20_000 * 5000);
    expect(full({ json }).input).toBeGreaterThanOrEqual(bytesOf(json));
  });

  test('assumes a full context window if more than 20,000 objects can hide a reference', () => {
    const hidden = [...Array.from({ length: 30_000 }, () => ({})), { type: 'file', file: { file_id: 'file-1' } }];
    const json = { messages: messages(hidden) };
    expect(full({ json }).input).toBeGreaterThanOrEqual(bytesOf(json) + 128_000);
  });

  const HIDDEN = `${text(256)} ${'words and '.repeat(900)} ${text(256)}`;
  test.each([
    ['an image', { type: 'image_url', image_url: { url: 'words and '.repeat(900) } }],
    ['encoded ends', { type: 'image_url', image_url: { url: HIDDEN } }],
    ['a data URL', { type: 'image_url', image_url: { url: `data:image/png;base64,${HIDDEN}` } }],
    ['arguments of a tool call', { type: 'tool_use', input: { data: text(9000) } }],
    ['an image in arguments', { type: 'tool_use', input: { a: { type: 'image', source: { data: text(9000) } } } }],
    ['a schema', { type: 'mcp_list_tools', tools: [{ input_schema: { url: text(9000) } }] }],
  ])('counts text in place of media as text: %s', (_, part) => {
    const json = { messages: messages([part]) };
    expect(full({ json }).input).toBeGreaterThanOrEqual(bytesOf(json));
    expect(full({ json }).image_input ?? 0).toBeLessThanOrEqual(5000);
  });

  test('counts encoded data in an unknown format as media, or as text if the limit reserves the maximum', () => {
    const json = { messages: messages([{ type: 'new', attachment: { data: text(90_000) } }]) };
    expect(typical({ json })).toMatchObject({ image_input: 1600 });
    expect(typical({ json }).input).toBeLessThan(200);
    expect(full({ json }).input).toBeGreaterThanOrEqual(bytesOf(json));
  });

  test('counts an earlier response in audio, which the provider has stored', () => {
    const json = { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] };
    expect(full({ json }).audio_input).toBe(19_200);
  });

  test('assumes a size for a stored file, and at most the context window', () => {
    const json = { messages: messages([{ type: 'file', file: { file_id: 'file-1' } }]) };
    expect(typical({ json }).input).toBeGreaterThan(32_000);
    expect(full({ json }).input).toBeGreaterThan(128_000);
  });

  test('does not count signatures as text', () => {
    const thinking = { type: 'thinking', thinking: 'a', signature: base64(60_000) };
    const json = { messages: [{ role: 'assistant', content: [thinking] }] };
    expect(typical({ json }).input).toBeLessThan(10_200);
  });
});
