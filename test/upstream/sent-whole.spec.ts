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

/** What an estimate of the tokens that went in rests on (D14). */
describe('whether a request was sent whole', () => {
  test('it was, when it was answered', async () => {
    const app = await startForwarding({ url: upstream.url });
    await send(app.port);
    await until(() => app.running === 0);
    expect(app.contexts[0]!.upstream.sentWhole).toBe(true);
    await app.stop();
  });

  test('it was, when the client left before the answer’s head', async () => {
    const app = await startForwarding({ url: upstream.url });
    upstream.on('POST', '/v1/chat/completions', () => {});
    const call = begin(app.port);
    await upstream.received(0);
    call.destroy();
    await until(() => app.contexts.length === 1 && app.running === 0);
    expect(app.contexts[0]!.upstream.sentWhole).toBe(true);
    await app.stop();
  });

  test('it was not, when the client left while the upstream had not taken all of it', async () => {
    let begun = false;
    const deaf = await rawUpstream((socket) => socket.once('data', () => ((begun = true), socket.pause())));
    const app = await startForwarding({ url: deaf.url });
    const call = begin(app.port, {
      body: Buffer.from(JSON.stringify({ ...CHAT, user: 'x'.repeat(32 * 1024 * 1024) })),
    });
    call.on('error', () => {});
    await until(() => begun);
    call.destroy();
    await until(() => app.contexts.length === 1 && app.running === 0);
    expect(app.contexts[0]!.upstream.sentWhole).toBe(false);
    await app.stop();
    await deaf.stop();
  });

  test('it was not, when no connection could be made', async () => {
    const app = await startForwarding({ url: 'http://127.0.0.1:1/v1' });
    expect((await send(app.port)).status).toBe(502);
    expect(app.contexts[0]!.upstream.sentWhole).toBe(false);
    await app.stop();
  });
});
