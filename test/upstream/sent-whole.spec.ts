import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { rawUpstream, startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { CHAT, begin, send, startForwarding } from './forwarding-app.js';
import { until } from '../support/until.js';

let upstream: ScriptedUpstream;
beforeAll(async () => {
  upstream = await startUpstream();
});
afterEach(() => upstream.reset());
afterAll(() => upstream.stop());

/** Input tokens are estimated only for requests that were sent completely (D14). */
describe('upstream.sentWhole', () => {
  test('a request with a response was sent completely', async () => {
    const app = await startForwarding({ url: upstream.url });
    await send(app.port);
    await until(() => app.running === 0);
    expect(app.contexts[0]!.upstream.sentWhole).toBe(true);
    await app.stop();
  });

  test('a request was sent completely if the client disconnects after it reached the upstream', async () => {
    const app = await startForwarding({ url: upstream.url });
    upstream.on('POST', '/v1/chat/completions', () => {});
    const call = begin(app.port);
    await upstream.received(0);
    call.destroy();
    await until(() => app.contexts.length === 1 && app.running === 0);
    expect(app.contexts[0]!.upstream.sentWhole).toBe(true);
    await app.stop();
  });

  test('a request was not sent completely if the client disconnects while the upstream reads it', async () => {
    let begun = false;
    const stalled = await rawUpstream((socket) => socket.once('data', () => ((begun = true), socket.pause())));
    const app = await startForwarding({ url: stalled.url });
    const call = begin(app.port, {
      body: Buffer.from(JSON.stringify({ ...CHAT, user: 'x'.repeat(32 * 1024 * 1024) })),
    });
    call.on('error', () => {});
    await until(() => begun);
    call.destroy();
    await until(() => app.contexts.length === 1 && app.running === 0);
    expect(app.contexts[0]!.upstream.sentWhole).toBe(false);
    await app.stop();
    await stalled.stop();
  });

  // As for a TLS socket, which reports a write as pending for some milliseconds.
  test.each([
    ['was sent completely if a success arrives', '200 OK', true],
    ['was not sent completely if an error arrives', '400 Bad Request', false],
  ])('a request %s while the socket still holds a part of it', async (_, status, sentWhole) => {
    const answer = `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`;
    const fast = await rawUpstream((socket) => socket.once('data', () => (socket.pause(), socket.write(answer))));
    const app = await startForwarding({ url: fast.url });
    await send(app.port, { body: Buffer.from(JSON.stringify({ ...CHAT, user: 'x'.repeat(32 * 1024 * 1024) })) });
    await until(() => app.contexts.length === 1 && app.running === 0);
    expect(app.contexts[0]!.upstream.sentWhole).toBe(sentWhole);
    await app.stop();
    await fast.stop();
  });

  test('a request was not sent completely if no connection could be opened', async () => {
    const app = await startForwarding({ url: 'http://127.0.0.1:1/v1' });
    expect((await send(app.port)).status).toBe(502);
    expect(app.contexts[0]!.upstream.sentWhole).toBe(false);
    await app.stop();
  });
});
