import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { parseForm } from '../../sandbox/src/multipart/parse-form.js';

const TYPE = 'multipart/form-data; boundary=b';
const part = (head: string, body: string): string =>
  `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
const parse = (text: string, type = TYPE): ReturnType<typeof parseForm> => parseForm(type, Buffer.from(text));

describe('multipart forms', () => {
  test('a form is parsed into its parts in order, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 }), async (bodies) => {
        const form = new FormData();

        for (const [index, bytes] of bodies.entries()) form.append(`f${index}`, new Blob([bytes]), `n "${index}".bin`);

        const sent = new Response(form);
        const body = Buffer.from(await sent.arrayBuffer());
        const parts = parseForm(sent.headers.get('content-type') ?? '', body);

        expect(parts.map(({ name }) => name)).toEqual(bodies.map((_, index) => `f${index}`));
        expect(parts.map(({ filename }) => filename)).toEqual(bodies.map((_, index) => `n "${index}".bin`));
        expect(parts.map(({ bytes }) => [...bytes])).toEqual(bodies.map((bytes) => [...bytes]));
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    ['a quoted boundary', 'multipart/form-data; charset=utf-8; boundary="b"'],
    ['a content type in capitals', 'Multipart/Form-Data;boundary=b'],
  ])('a form with %s is accepted', (_what, type) => {
    expect(parse(`${part('name="a"', 'x')}--b--\r\n`, type)).toMatchObject([{ name: 'a', filename: null }]);
  });

  test('a form with a preamble is accepted', () => {
    expect(parse(`preamble\r\n${part('name=a; filename=x', 'x')}--b--`)).toMatchObject([{ name: 'a', filename: 'x' }]);
  });

  test.each([
    ['no boundary', `${part('name="a"', 'x')}--b--`, 'multipart/form-data'],
    ['another content type', `${part('name="a"', 'x')}--b--`, 'application/json; boundary=b'],
    ['no final delimiter', part('name="a"', 'x'), TYPE],
    ['a truncated part', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx', TYPE],
    ['an unnamed part', `${part('filename="a"', 'x')}--b--`, TYPE],
    ['a part without headers', '--b\r\nx\r\n--b--', TYPE],
    ['a longer boundary with the same beginning', `${part('name="a"', 'x')}--bc--`, TYPE],
    ['no content', '', TYPE],
    ['more than 1,000 parts', `${part('name="a"', 'x').repeat(1_001)}--b--`, TYPE],
  ])('a form with %s is rejected', (_what, text, type) => {
    expect(() => parse(text, type)).toThrow('multipart form');
  });
});
