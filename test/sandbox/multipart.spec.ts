import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { parseForm } from '../../sandbox/src/multipart/parse-form.js';

const TYPE = 'multipart/form-data; boundary=b';
const part = (head: string, body: string): string =>
  `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
const parse = (text: string, type = TYPE): ReturnType<typeof parseForm> => parseForm(type, Buffer.from(text));

describe('a multipart form', () => {
  test('gives its parts in their order, byte for byte', async () => {
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
    ['a type in capitals', 'Multipart/Form-Data;boundary=b'],
  ])('is read with %s', (_what, type) => {
    expect(parse(`${part('name="a"', 'x')}--b--\r\n`, type)).toMatchObject([{ name: 'a', filename: null }]);
  });

  test('may begin with a preamble', () => {
    expect(parse(`preamble\r\n${part('name=a; filename=x', 'x')}--b--`)).toMatchObject([{ name: 'a', filename: 'x' }]);
  });

  test.each([
    ['no boundary', `${part('name="a"', 'x')}--b--`, 'multipart/form-data'],
    ['another type', `${part('name="a"', 'x')}--b--`, 'application/json; boundary=b'],
    ['no end', part('name="a"', 'x'), TYPE],
    ['an end in the middle of a part', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx', TYPE],
    ['no name', `${part('filename="a"', 'x')}--b--`, TYPE],
    ['no headers', '--b\r\nx\r\n--b--', TYPE],
    ['another boundary that begins alike', `${part('name="a"', 'x')}--bc--`, TYPE],
    ['nothing at all', '', TYPE],
    ['more parts than anyone sends', `${part('name="a"', 'x').repeat(1_001)}--b--`, TYPE],
  ])('is refused with %s', (_what, text, type) => {
    expect(() => parse(text, type)).toThrow('multipart form');
  });
});
