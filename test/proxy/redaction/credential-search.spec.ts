import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CredentialSearch, CredentialSpellings } from '../../../src/proxy/redaction/credential-search.js';

/** Few different bytes, so that parts of a credential are frequent. */
const text = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('e', 't', '-', 'Q', 'sk-', '7'), minLength, maxLength });

function redacted(credential: string, body: Buffer, chunkBytes: number): string {
  const search = new CredentialSearch(new CredentialSpellings([credential]), () => '#');
  const out: Buffer[] = [];
  for (let at = 0; at < body.length; at += chunkBytes) out.push(search.push(body.subarray(at, at + chunkBytes)));
  out.push(search.end());
  return Buffer.concat(out).toString();
}

test('a credential is replaced wherever it and the chunks begin, whichever byte of it is the rarest', () => {
  fc.assert(
    fc.property(
      text(16, 24),
      fc.array(text(0, 40), { maxLength: 4 }),
      fc.integer({ min: 1, max: 60 }),
      (credential, texts, chunkBytes) => {
        const body = Buffer.from(texts.join(credential));
        expect(redacted(credential, body, body.length + 1)).toBe(body.toString().replaceAll(credential, '#'));
        expect(redacted(credential, body, chunkBytes)).not.toContain(credential);
      },
    ),
    { numRuns: 2000 },
  );
});
