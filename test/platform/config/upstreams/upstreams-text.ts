import {
  parseUpstreamsFile,
  type UpstreamsResult,
} from '../../../../src/platform/config/upstreams/parse-upstreams.rules.js';
import type { UpstreamsFile } from '../../../../src/platform/config/upstreams/upstreams-file.js';
import { FileUnusable, type UpstreamsSources } from '../../../../src/platform/config/upstreams/file-access.js';

/** Secrets of these sources contain it, and no problem can. */
export const MARKER = 'sekret';

const ENV: Readonly<Record<string, string>> = {
  OPENAI_API_KEY: `${MARKER}-of-openai`,
  SHORT: 'short',
  SPACES: `${MARKER} with spaces`,
  LINES: `${MARKER}\r\nwith lines`,
  EMPTY: '',
};

const FILES: Readonly<Record<string, string>> = {
  '/etc/gateway/secrets/anthropic': `${MARKER}-of-anthropic\n`,
  '/run/header': `${MARKER}-of-header\r\n`,
  '/run/empty': '\n',
  '/run/large': 'x'.repeat(70_000),
};

export const sourcesWith = (files: Readonly<Record<string, string>> = {}, production = true): UpstreamsSources => ({
  path: '/etc/gateway/upstreams.yaml',
  production,
  env: ENV,
  readFile: (path, bytesMax) => {
    const text = { ...FILES, ...files }[path];
    if (text === undefined) throw new FileUnusable('cannot be read (ENOENT)');
    if (text.length > bytesMax) throw new FileUnusable(`has ${text.length} bytes`);
    return Buffer.from(text);
  },
});

export const parse = (text: string, sources = sourcesWith()): UpstreamsResult => parseUpstreamsFile(text, sources);

export function fileOf(text: string, sources = sourcesWith()): UpstreamsFile {
  const result = parse(text, sources);
  if ('file' in result) return result.file;
  throw new Error(result.problems.join('\n'));
}

/** Without the path of the file. */
export function problemsOf(text: string, sources = sourcesWith()): string[] {
  const result = parse(text, sources);
  return 'file' in result ? [] : result.problems.map((line) => line.replace('/etc/gateway/upstreams.yaml:', ''));
}

export const COMPLETE = `# yaml-language-server: $schema=./upstreams.schema.json
upstreams:
  - name: openai
    base_url: https://api.openai.com/v1/
    credential:
      env: OPENAI_API_KEY
    headers:
      OpenAI-Organization: org-123
      X-Signature: { file: /run/header }
    query:
      api-version: "2025-04-01-preview"
      a b: ä&=
    proxy: http://user:p%40ss-word@proxy.example:3128
    timeouts: { connect_ms: 5000, head_ms: 600000, idle_ms: 300000 }
    connections: 256
    models: [gpt-5, gpt-5-mini]
    aliases: { fast: gpt-5-mini }
    region: eu-west-1
    tags: [production]
    repeat_sent: true
  - name: anthropic
    base_url: http://[::1]:8080
    apis: [anthropic, openai]
    credential: { file: secrets/anthropic, header: api-key }
    proxy: off
routes:
  - models: "gpt-*"
    upstreams: [openai, anthropic]
    sticky: conversation
  - models: claude-5
    upstreams:
      - { name: anthropic, weight: 3 }
      - { name: openai, weight: 1 }
`;
