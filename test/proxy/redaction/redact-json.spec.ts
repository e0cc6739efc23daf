import { expect, test } from '@jest/globals';
import { redactJson } from '../../../src/proxy/redaction/redact-json.js';

const SECRET = 'sk-upstream-secret';
const redact = (text: string) => text.replaceAll(SECRET, '[redacted]');
const escaped = Array.from(SECRET, (char) => `\\u00${char.charCodeAt(0).toString(16)}`).join('');

test.each(['utf8', 'latin1'] as const)('a credential in escapes is redacted beside %s text', (encoding) => {
  const json = Buffer.from(`{"a":"é ${escaped} \\u20ac","b":"é"}`, encoding);
  const redacted = redactJson(json, redact);
  expect(JSON.parse(redacted.toString(encoding))).toEqual({ a: 'é [redacted] €', b: 'é' });
});

test('text without a credential stays as it is', () => {
  const json = Buffer.from('{"a":"é \\u20ac"}', 'latin1');
  expect(redactJson(json, redact)).toBe(json);
});
