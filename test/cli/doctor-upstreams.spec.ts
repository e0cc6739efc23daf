import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CertificateAuthority } from '../support/certificates.js';
import { ConnectProxy } from '../support/connect-proxy.js';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { listsOnly, UpstreamsFile, type UpstreamEntry } from '../support/upstreams-file.js';
import { cliJson } from './command.js';
import { diagnose, PASSWORD } from './diagnosis.js';

const MODELS = 'GET /v1/models';

let scratch: ScratchDatabase;
let first: ScriptedUpstream;
let second: ScriptedUpstream;
beforeAll(async () => {
  [scratch, first, second] = await Promise.all([createScratchDatabase(), startUpstream(), startUpstream()]);
  const owner = ['--email', 'o@example.com', '--name', 'O', '--role', 'owner', '--generate'];
  await cliJson(['operator', 'create', ...owner], { env: { DATABASE_URL: scratch.url } });
});
beforeEach(() => {
  for (const provider of [first, second]) provider.reset();
  listsOnly(first, 'a', 'b');
  listsOnly(second, 'c');
});
afterAll(async () => {
  await Promise.all([first.stop(), second.stop()]);
  await scratch.drop();
});

async function findings(upstreams: readonly UpstreamEntry[], name: string, env: Record<string, string> = {}) {
  using file = new UpstreamsFile({ upstreams });
  const { checks } = await diagnose({ PORT: '0', DATABASE_URL: scratch.url, ...file.env, ...env });
  expect(checks.filter(({ check }) => check === 'settings').map(({ status }) => status)).toEqual(['ok']);
  return checks
    .filter(({ check }) => check === name)
    .map(({ status, message, advice }) => `${status} ${message}${advice === null ? '' : ` -> ${advice}`}`);
}

const host = (provider: ScriptedUpstream) => new URL(provider.url).host;

describe('doctor with GW_UPSTREAMS', () => {
  test('tests each upstream once with its own credential', async () => {
    const entries = [
      { name: 'first', base_url: first.url },
      { name: 'second', base_url: second.url, credential: { env: 'SECOND_KEY', header: 'api-key' } },
    ];
    expect(await findings(entries, 'upstream', { SECOND_KEY: PASSWORD })).toEqual([
      `ok first: ${host(first)} lists 2 models`,
      `ok second: ${host(second)} lists 1 model`,
    ]);
    expect(second.requests.map((request) => [request.route, request.header('api-key')])).toEqual([[MODELS, PASSWORD]]);
  });

  test('a problem with one upstream names it, and the others are still tested', async () => {
    second.on('GET', '/v1/models', () => ({ status: 401, body: {} }));
    const entries = [
      { name: 'gone', base_url: 'http://127.0.0.1:1/v1' },
      { name: 'second', base_url: second.url },
      { name: 'first', base_url: first.url },
    ];
    const [gone, rejected, sound] = await findings(entries, 'upstream');
    expect(gone).toMatch(/^fail gone: 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED.* -> Fix base_url of gone, or /);
    expect(rejected).toBe(
      `fail second: ${host(second)} rejects the credential (401) -> Add a credential of second in the GW_UPSTREAMS file.`,
    );
    expect(sound).toBe(`ok first: ${host(first)} lists 2 models`);
  });

  test('an upstream needs no model list if the file lists its models', async () => {
    for (const provider of [first, second]) provider.on('GET', '/v1/models', () => ({ status: 404, body: {} }));
    const entries = [
      { name: 'first', base_url: first.url, models: ['a'] },
      { name: 'second', base_url: second.url },
    ];
    const [listed, unlisted] = await findings(entries, 'upstream');
    expect(listed).toMatch(/^ok first: /);
    expect(unlisted).toMatch(/^fail second: .* has no model list \(404\) -> Check the path of base_url of second\./);
  });

  test('an invalid file is reported as a settings problem, and no upstream is tested', async () => {
    using file = new UpstreamsFile({ upstreams: [{ name: 'first', base_url: first.url, apis: ['other'] }] });
    const { checks } = await diagnose({ PORT: '0', DATABASE_URL: scratch.url, ...file.env });
    expect(checks.map(({ check, status }) => `${check} ${status}`)).toEqual(['settings fail']);
    expect(checks[0]!.message).toContain('upstreams[0].apis');
    expect(first.requests).toEqual([]);
  });

  test('names the proxy of each upstream, but not its credential', async () => {
    const proxy = await ConnectProxy.start({ 'provider.test:80': Number(new URL(first.url).port) });
    const { port } = proxy;
    const entries = [
      { name: 'direct', base_url: first.url },
      { name: 'off', base_url: first.url, proxy: 'off' },
      { name: 'own', base_url: 'http://provider.test/v1', proxy: `http://gateway:${PASSWORD}@127.0.0.1:${port}` },
      { name: 'broken', base_url: 'http://provider.test/v1', proxy: 'http://127.0.0.1:1' },
    ];
    const found = await findings(entries, 'egress_proxy');
    await proxy.stop();
    const setting = 'proxy in the GW_UPSTREAMS file';
    expect(found).toEqual([
      `ok off: connects to ${host(first)} directly`,
      `ok own: connects to provider.test through 127.0.0.1:${port} (${setting})`,
      `fail broken: 127.0.0.1:1 of ${setting} cannot be reached: ECONNREFUSED -> Fix ${setting}, or add hosts that need no proxy to NO_PROXY.`,
    ]);
  });

  test('warns of a certificate that expires soon, and names its upstream', async () => {
    using other = new UpstreamsFile('');
    const { certFile } = CertificateAuthority.create(other.folder, 'authority');
    const entries = [
      { name: 'first', base_url: first.url },
      { name: 'second', base_url: second.url, tls: { ca: certFile } },
    ];
    const found = await findings(entries, 'upstream_certificates');
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^warn second: a certificate in .* expires in less than \d+ days -> Replace the file\./);
  });
});
