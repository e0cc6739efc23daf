import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Agent, Command, Place } from './agent.js';

const bin = ({ installed }: Place, name: string) => join(installed, 'node_modules/.bin', name);
const platform = `${process.platform}-${process.arch}`;

function put(path: string, content: string | object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
}

const codexConfig = (provider: string) => `model = "gpt-5.5"
model_provider = "${provider}"
model_auto_compact_token_limit = 20000
check_for_update_on_startup = false
[analytics]
enabled = false
`;

const codex: Agent = {
  name: 'Codex',
  pin: 'codex',
  api: 'responses',
  configure: ({ home, origin }) =>
    put(
      join(home, '.codex/config.toml'),
      `${codexConfig('gateway')}[model_providers.gateway]
name = "Gateway"
base_url = "${origin}/v1"
env_key = "GATEWAY_API_KEY"
wire_api = "responses"
`,
    ),
  run: (place, prompt) => ({
    program: bin(place, 'codex'),
    args: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
    env: { GATEWAY_API_KEY: place.key },
  }),
  write: (path, text) => ({ name: 'exec_command', input: { cmd: `printf %s '${text}' > '${path}'` } }),
  compaction: { inputTokens: 50_000 },
};

const codexBuiltIn: Agent = {
  ...codex,
  name: 'Codex, built-in provider',
  configure: ({ home, origin }) =>
    put(join(home, '.codex/config.toml'), `openai_base_url = "${origin}/v1"\n${codexConfig('openai')}`),
  prepare: (place) => ({
    program: 'sh',
    args: ['-c', `printf %s "$KEY" | '${bin(place, 'codex')}' login --with-api-key`],
    env: { KEY: place.key },
  }),
};

const claudeCode = (place: Place, prompt: string, ...flags: string[]): Command => ({
  program: join(place.installed, `node_modules/@anthropic-ai/claude-code-${platform}/claude`),
  args: ['-p', prompt, '--model', 'claude-sonnet-5-5', '--permission-mode', 'acceptEdits', ...flags],
  env: {
    ANTHROPIC_BASE_URL: place.origin,
    ANTHROPIC_AUTH_TOKEN: place.key,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  },
});

const claude: Agent = {
  name: 'Claude Code',
  pin: 'claude',
  api: 'messages',
  run: claudeCode,
  write: (file_path, content) => ({ name: 'Write', input: { file_path, content } }),
  compaction: { inputTokens: 160_000, command: (place) => claudeCode(place, '/compact', '--continue') },
};

const openCodeConfig = ({ origin, key }: Place) => ({
  autoupdate: false,
  share: 'disabled',
  provider: {
    gateway: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Gateway',
      options: { baseURL: `${origin}/v1`, apiKey: key },
      models: { 'gpt-4o': { name: 'GPT-4o', limit: { context: 60_000, output: 4_000 } } },
    },
  },
});

const opencode: Agent = {
  name: 'opencode',
  pin: 'opencode',
  api: 'chat',
  configure: (place) => put(join(place.home, '.config/opencode/opencode.json'), openCodeConfig(place)),
  run: (place, prompt) => ({
    program: join(place.installed, `node_modules/opencode-${platform}/bin/opencode`),
    args: ['run', '--auto', '-m', 'gateway/gpt-4o', prompt],
    env: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
  }),
  write: (filePath, content) => ({ name: 'write', input: { filePath, content } }),
  compaction: { inputTokens: 59_000 },
};

const kilocode: Agent = {
  ...opencode,
  name: 'kilocode',
  pin: 'kilocode',
  configure: (place) => put(join(place.home, '.config/kilo/kilo.json'), openCodeConfig(place)),
  run: (place, prompt) => ({
    program: join(place.installed, `node_modules/@kilocode/cli-${platform}/bin/kilo`),
    args: ['run', '--auto', '-m', 'gateway/gpt-4o', prompt],
    env: { KILO_DISABLE_MODELS_FETCH: '1', KILO_DISABLE_LSP_DOWNLOAD: '1', KILO_TELEMETRY_LEVEL: 'off' },
  }),
};

const qwen: Agent = {
  name: 'qwen-code',
  pin: 'qwen',
  api: 'chat',
  configure: ({ home }) =>
    put(join(home, '.qwen/settings.json'), {
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false },
      security: { auth: { selectedType: 'openai' } },
      model: { generationConfig: { contextWindowSize: 200_000 } },
    }),
  run: (place, prompt) => ({
    program: bin(place, 'qwen'),
    args: ['--yolo', '--auth-type', 'openai', prompt],
    env: { OPENAI_BASE_URL: `${place.origin}/v1`, OPENAI_API_KEY: place.key, OPENAI_MODEL: 'qwen3-coder-plus' },
  }),
  write: (file_path, content) => ({ name: 'write_file', input: { file_path, content } }),
  compaction: { inputTokens: 185_000 },
};

const cline: Agent = {
  name: 'Cline',
  pin: 'cline',
  api: 'chat',
  prepare: (place) => ({
    program: bin(place, 'cline'),
    args: ['auth', '-p', 'openai', '-k', place.key, '-m', 'gpt-4o', '-b', `${place.origin}/v1`],
  }),
  run: (place, prompt) => ({
    program: bin(place, 'cline'),
    args: ['-P', 'openai', '-m', 'gpt-4o', prompt],
    // Otherwise Cline starts a daemon that outlives the agent.
    env: { CLINE_SESSION_BACKEND_MODE: 'local' },
  }),
  write: (path, content) => ({ name: 'run_commands', input: { commands: [`printf %s '${content}' > '${path}'`] } }),
};

const continueCli: Agent = {
  name: 'Continue',
  pin: 'continue',
  api: 'chat',
  configure: ({ home, origin, key }) =>
    put(
      join(home, 'config.yaml'),
      `name: gateway
version: 1.0.0
schema: v1
models:
  - name: gateway
    provider: openai
    model: gpt-4o
    apiBase: ${origin}/v1
    apiKey: ${key}
    roles: [chat]
    capabilities: [tool_use]
    defaultCompletionOptions:
      contextLength: 24000
      maxTokens: 4000
`,
    ),
  run: (place, prompt) => ({
    program: bin(place, 'cn'),
    args: ['-p', prompt, '--config', join(place.home, 'config.yaml'), '--auto'],
    env: { CONTINUE_TELEMETRY_ENABLED: '0' },
  }),
  write: (filepath, content) => ({ name: 'Write', input: { filepath, content } }),
  compaction: { inputTokens: 20_000 },
};

export const AGENTS: readonly Agent[] = [codex, codexBuiltIn, claude, opencode, kilocode, qwen, cline, continueCli];
