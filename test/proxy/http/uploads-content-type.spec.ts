import { expect, test } from '@jest/globals';
import { gatewayOfFile } from '../../support/gateway-of-file.js';
import { errorCodeIn, snapshot } from '../../support/responses.js';
import { Wire } from '../../support/wire.js';

const PATH = '/v1/files';
const file = gatewayOfFile();

test.each([
  'text/plain',
  'application/json',
  'application/octet-stream',
  'multipart/mixed; boundary=b',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=a; boundary=b',
])('an upload as %s returns 400 invalid_content_type, does not count and is not forwarded', async (type) => {
  const key = await file.gateway.createKey();
  const call = { key, body: Buffer.from('--b--'), headers: { 'content-type': type } };
  expect(errorCodeIn(await file.gateway.call('POST', PATH, call))).toBe('400 invalid_content_type');
  expect((await snapshot(file.gateway, key)).today.used).toBe(0);
  expect(file.gateway.upstream.requests).toEqual([]);
});

test('an upload without a content type returns 400 invalid_content_type', async () => {
  const head = `POST ${PATH} HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${file.key.key}\r\nContent-Length: 0\r\n\r\n`;
  expect(errorCodeIn(await Wire.once(file.gateway.port, head))).toBe('400 invalid_content_type');
  expect(file.gateway.upstream.requests).toEqual([]);
});
