import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type OpenAI from 'openai';
import type { Browser, Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROFILES, startSandboxGateway, type SandboxGateway } from '../support/sandbox-gateway.js';
import { launchChromium } from './chromium.js';

declare global {
  interface Window {
    /** Set by the bundled script below. */
    readonly clientOf: (baseURL: string, apiKey: string) => OpenAI;
  }
}

const ENTRY = 'entry.js';
const SOURCE = `import OpenAI from 'openai';
window.clientOf = (baseURL, apiKey) => new OpenAI({ baseURL, apiKey, maxRetries: 0, dangerouslyAllowBrowser: true });`;

/** Bundles the OpenAI SDK and the entry into one script for a page. */
async function bundle(): Promise<string> {
  const build = await rolldown({
    input: ENTRY,
    platform: 'browser',
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === ENTRY ? `${process.cwd()}/${ENTRY}` : null),
        load: (id) => (id.endsWith(`/${ENTRY}`) && !id.includes('node_modules') ? SOURCE : null),
      },
    ],
  });
  const { output } = await build.generate({ format: 'iife' });
  await build.close();
  return output[0].code;
}

describe.each(PROFILES)('OpenAI SDK on a page of another origin with the profile %s', (profile) => {
  let sandbox: SandboxGateway;
  let site: Server;
  let browser: Browser;
  let page: Page;
  /** Base URL and API key, passed to the functions that run in the page. */
  let access: readonly [string, string];

  beforeAll(async () => {
    sandbox = await startSandboxGateway({ GW_PROFILE: profile });
    access = [sandbox.url, sandbox.key.key];
    const script = await bundle();
    site = createServer((request, response) => {
      const isScript = request.url === '/page.js';
      response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
      response.end(isScript ? script : '<!doctype html><title>Page</title><script src="/page.js"></script>');
    });
    await once(site.listen(0, '127.0.0.1'), 'listening');
    browser = await launchChromium();
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  });
  afterAll(async () => {
    await browser?.close();
    await new Promise((resolve) => site?.close(resolve));
    await sandbox?.stop();
  });

  test('the page can read a response and its request ID', async () => {
    const received = await page.evaluate(async ([url, key]) => {
      const { data, response } = await window
        .clientOf(url, key)
        .chat.completions.create({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Say hello.' }] })
        .withResponse();
      return { text: data.choices[0]?.message.content, id: response.headers.get('x-request-id') };
    }, access);
    expect(received).toEqual({ text: expect.stringMatching(/\w/), id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  test('the page can read a stream', async () => {
    const types = await page.evaluate(async ([url, key]) => {
      const stream = window.clientOf(url, key).responses.stream({ model: 'gpt-4o-mini', input: 'Say hello.' });
      const seen: string[] = [];
      for await (const { type } of stream) seen.push(type);
      return seen;
    }, access);
    expect(types.at(-1)).toBe('response.completed');
    expect(types).toContain('response.output_text.delta');
  });

  test('the page can upload a file', async () => {
    const text = await page.evaluate(async ([url, key]) => {
      const file = new File([new Uint8Array(2_000)], 'speech.wav');
      return (await window.clientOf(url, key).audio.transcriptions.create({ model: 'whisper-1', file })).text;
    }, access);
    expect(text).toMatch(/\w/);
  });

  test('the page can list models', async () => {
    const ids = await page.evaluate(async ([url, key]) => {
      const { data } = await window.clientOf(url, key).models.list();
      return data.map(({ id }) => id);
    }, access);
    expect(ids).toContain('gpt-4o-mini');
  });

  test('the page can read the status and code of an error', async () => {
    const error = await page.evaluate(async ([url]) => {
      try {
        await window.clientOf(url, 'sk-gw-nobody').models.list();
        return undefined;
      } catch (caught) {
        const { status, code } = caught as { status: number; code: string };
        return { status, code };
      }
    }, access);
    expect(error).toEqual({ status: 401, code: 'invalid_api_key' });
  });
});
