import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { ForwardService } from '../../../src/proxy/forward.service.js';
import type { Response, Key, TestGateway } from '../../support/gateway.js';
import { errorIn } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());
afterEach(() => void jest.restoreAllMocks());

function expectGenericError(response: Response): void {
  expect(response.status).toBe(500);
  expect(errorIn(response)).toEqual({
    message: 'The gateway encountered an internal error. Report the request ID to an operator of this gateway.',
    type: 'api_error',
    param: null,
    code: 'internal_error',
    request_id: response.headers.get('x-request-id'),
  });
}

test('an internal fault under /v1 is a generic 500, and the gateway keeps serving', async () => {
  const forward = jest.spyOn(gateway.app.get(ForwardService), 'forward');
  const fault = new TypeError("Cannot read properties of undefined (reading 'secret')");
  forward.mockImplementationOnce(() => {
    throw fault;
  });
  expectGenericError(await gateway.chat(key));
  for (const thrown of [fault, 'a text', undefined, { status: 200 }]) {
    forward.mockRejectedValueOnce(thrown);
    expectGenericError(await gateway.chat(key));
  }
  expect((await gateway.chat(key)).status).toBe(200);
});

test('a failed database statement is a generic 500 that reveals no name or value', async () => {
  const source = gateway.app.get(DataSource);
  await source.query('alter table webhooks rename to webhooks_elsewhere');
  expectGenericError(await gateway.admin('GET', '/admin/webhooks'));
  await source.query('alter table webhooks_elsewhere rename to webhooks');
  expect((await gateway.admin('GET', '/admin/webhooks')).status).toBe(200);
});
