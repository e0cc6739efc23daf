import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { GatewayProcess, TEST_SETTINGS } from '../../../support/gateway-process.js';
import { OwnPostgres } from '../../../support/own-postgres.js';
import { startUpstream, type ScriptedUpstream } from '../../../support/scripted-upstream.js';
import { until } from '../../../support/until.js';

const ROLE = 'short_lived';
const [FIRST, SECOND] = ['first-password-7d1f', 'second-password-93ac'];

/** The server requires passwords. The gateway migrates an empty database, so every kind of connection logs in. */
describe('a password that a file or a program yields', () => {
  let postgres: OwnPostgres;
  let upstream: ScriptedUpstream;
  let folder: string;
  let passwordFile: string;

  beforeEach(async () => {
    [postgres, upstream] = await Promise.all([OwnPostgres.start(), startUpstream()]);
    folder = await mkdtemp(join(tmpdir(), 'gateway-passwords-'));
    passwordFile = join(folder, 'password');
    await postgres.query(`create role ${ROLE} login password '${FIRST}'`);
    await postgres.query(`create database ${ROLE} owner ${ROLE}`);
    await writeFile(passwordFile, `${FIRST}\n`);
  });

  afterEach(async () => {
    await GatewayProcess.endAll();
    await Promise.all([upstream.stop(), postgres.drop()]);
    await rm(folder, { recursive: true });
  });

  function settings(source: Record<string, string>): Record<string, string> {
    const url = new URL(postgres.url);
    Object.assign(url, { username: ROLE, password: '', pathname: `/${ROLE}` });
    return { DATABASE_URL: url.href, GW_UPSTREAM_BASE_URL: upstream.url, ...source };
  }

  async function program(script: string): Promise<string> {
    const file = join(folder, 'program');
    await writeFile(file, `#!${process.execPath}\n${script}`);
    await chmod(file, 0o755);
    return file;
  }

  const changePassword = async (password: string) => {
    await postgres.query(`alter role ${ROLE} password '${password}'`);
    await postgres.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${ROLE}'`);
  };
  const expectNoPassword = (gateway: GatewayProcess) => {
    const output = gateway.stdout + gateway.stderr;
    for (const password of [FIRST, SECOND]) expect(output).not.toContain(password);
  };
  const creates = async (gateway: GatewayProcess) =>
    (await gateway.admin('POST', '', { name: 'test', rpm_limit: 1000, rpd_limit: 1000 })).status === 201;

  test('every new connection uses the password that the file has at that time', async () => {
    const gateway = await GatewayProcess.start(settings({ GW_DATABASE_PASSWORD_FILE: passwordFile }));
    const { id, key } = await gateway.createKey();
    expect((await gateway.chat(key)).status).toBe(200);
    await changePassword(SECOND);
    // Until the file changes, the server rejects every connection. That is an outage, and its log line names the cause.
    const statuses = new Set<number>();
    await until(async () => statuses.add((await gateway.admin('GET', `/${id}`)).status).has(503));
    await until(() => gateway.stdout.includes('password authentication failed'));
    expect([...statuses].filter((status) => status !== 200)).toEqual([503]);
    await writeFile(passwordFile, SECOND);
    await until(() => creates(gateway));
    expect((await gateway.chat(key)).status).toBe(200);
    expectNoPassword(gateway);
  });

  test('a program gets the values of the connection, and runs again after the server has rejected its password', async () => {
    const log = join(folder, 'log');
    const file = await program(`
      const { appendFileSync, readFileSync } = require('node:fs');
      appendFileSync(${JSON.stringify(log)}, process.argv.slice(2).join(' ') + '\\n');
      process.stderr.write('not a part of the password');
      console.log(readFileSync(${JSON.stringify(passwordFile)}, 'utf8').trim());`);
    const command = JSON.stringify([file, '--host={host}:{port}', '{user}', '{database}', '$HOME']);
    const gateway = await GatewayProcess.start(settings({ GW_DATABASE_PASSWORD_COMMAND: command }));
    const { key } = await gateway.createKey();
    const { hostname, port } = new URL(postgres.url);
    const lines = (await readFile(log, 'utf8')).trim().split('\n');
    expect(new Set(lines)).toEqual(new Set([`--host=${hostname}:${port} ${ROLE} ${ROLE} $HOME`]));
    await writeFile(passwordFile, SECOND);
    await changePassword(SECOND);
    await until(() => creates(gateway));
    expect((await gateway.chat(key)).status).toBe(200);
    expectNoPassword(gateway);
  });

  test('a program that outlasts a connection attempt serves the next one', async () => {
    const released = join(folder, 'released');
    const file = await program(`
      const { existsSync } = require('node:fs');
      const timer = setInterval(() => {
        if (!existsSync(${JSON.stringify(released)})) return;
        console.log(${JSON.stringify(FIRST)});
        clearInterval(timer);
      }, 50);`);
    const gateway = GatewayProcess.launch({
      ...TEST_SETTINGS,
      ...settings({ GW_DATABASE_PASSWORD_COMMAND: JSON.stringify([file]) }),
    });
    await until(() => gateway.stdout.includes('did not respond in time'));
    await writeFile(released, '');
    await gateway.whenReady();
    expect(await creates(gateway)).toBe(true);
  });

  test('a start without a password waits, and logs the setting and the cause', async () => {
    const file = await program(`console.log(${JSON.stringify(SECOND)}); process.exit(3);`);
    const command = GatewayProcess.launch(settings({ GW_DATABASE_PASSWORD_COMMAND: JSON.stringify([file]) }));
    const missing = GatewayProcess.launch(settings({ GW_DATABASE_PASSWORD_FILE: join(folder, 'missing') }));
    await until(() => command.stdout.includes('GW_DATABASE_PASSWORD_COMMAND failed with exit code 3'));
    await until(() => /GW_DATABASE_PASSWORD_FILE names .*missing.*cannot be read: ENOENT/.test(missing.stdout));
    expectNoPassword(command);
  });
});
