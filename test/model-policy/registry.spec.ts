import { describe, expect, test } from '@jest/globals';
import { MODEL_FLAGS, type ModelFlag } from '../../src/model-policy/registry/model-facts.js';
import { canonicalId, undated } from '../../src/model-policy/registry/canonical-id.js';
import { ModelRegistry } from '../../src/model-policy/registry/model-registry.js';

const registry = new ModelRegistry();
const own = ['/v1/chat/completions', '/v1/completions', '/v1/responses'];
const messages = ['/v1/chat/completions', '/v1/completions', '/v1/messages'];
const plain = ['/v1/chat/completions', '/v1/completions'];
const base = ['/v1/completions'];
const embed = ['/v1/embeddings'];
const images = ['/v1/images/generations', '/v1/images/edits'];
const speech = ['/v1/audio/speech'];
const transcribe = ['/v1/audio/transcriptions'];

/** A known model. The flags in `is` are true, those in `not` are false, and the others are not tested. */
type Row = [id: string, category: string, endpoints: string[], provider: string, is: ModelFlag[], not: ModelFlag[]];
const none: [ModelFlag[], ModelFlag[]] = [[], [...MODEL_FLAGS]];

const KNOWN: Row[] = [
  [
    'gpt-4o',
    'chat',
    own,
    'openai',
    ['vision', 'tool_use', 'json_mode'],
    ['reasoning', 'audio_input', 'thinking', 'computer_use', 'web_search'],
  ],
  [
    'gpt-4o-mini',
    'chat',
    own,
    'openai',
    ['vision', 'tool_use', 'json_mode'],
    ['reasoning', 'thinking', 'computer_use'],
  ],
  ['gpt-4.1', 'chat', own, 'openai', ['vision', 'tool_use', 'json_mode'], ['reasoning', 'computer_use']],
  [
    'gpt-3.5-turbo',
    'chat',
    own,
    'openai',
    ['tool_use', 'json_mode'],
    ['reasoning', 'vision', 'audio_input', 'thinking'],
  ],
  ['o1', 'chat', own, 'openai', ['reasoning', 'vision', 'tool_use'], ['computer_use']],
  ['o3-mini', 'chat', own, 'openai', ['reasoning', 'tool_use', 'json_mode'], ['vision']],
  ['davinci-002', 'chat', base, 'openai', ...none],
  ['babbage-002', 'chat', base, 'openai', ...none],
  ['text-embedding-3-small', 'embedding', embed, 'openai', ...none],
  ['text-embedding-3-large', 'embedding', embed, 'openai', ...none],
  ['embed-english-v3.0', 'embedding', embed, 'cohere', ...none],
  ['dall-e-3', 'image', images, 'openai', ...none],
  ['gpt-image-1', 'image', images, 'openai', ...none],
  ['tts-1', 'tts', speech, 'openai', ...none],
  ['gpt-4o-mini-tts', 'tts', speech, 'openai', ...none],
  ['whisper-1', 'transcription', transcribe, 'openai', ...none],
  ['gpt-4o-transcribe', 'transcription', transcribe, 'openai', ...none],
  [
    'claude-3-5-sonnet-20241022',
    'chat',
    messages,
    'anthropic',
    ['vision', 'tool_use', 'computer_use'],
    ['thinking', 'audio_input'],
  ],
  ['claude-3-7-sonnet-20250219', 'chat', messages, 'anthropic', ['vision', 'tool_use', 'thinking'], ['audio_input']],
  ['gemini-2.0-flash', 'chat', messages, 'google', ['vision', 'tool_use'], ['computer_use']],
  [
    'llama-3.3-70b-instruct',
    'chat',
    plain,
    'meta',
    [],
    ['reasoning', 'vision', 'audio_input', 'thinking', 'computer_use'],
  ],
  ['mistral-large-latest', 'chat', plain, 'mistral', ['tool_use'], ['audio_input', 'thinking', 'computer_use']],
  [
    'mistral-ocr-latest',
    'ocr',
    ['/v1/chat/completions'],
    'mistral',
    [],
    ['reasoning', 'audio_input', 'thinking', 'computer_use'],
  ],
  ['deepseek-chat', 'chat', plain, 'deepseek', [], ['vision', 'audio_input', 'computer_use']],
  ['grok-3', 'chat', plain, 'xai', ['tool_use'], ['vision', 'audio_input', 'computer_use']],
  // Models that differ from their family.
  ['claude-3-5-sonnet-20240620', 'chat', messages, 'anthropic', ['vision'], ['computer_use', 'thinking']],
  ['gpt-4o-audio-preview', 'chat', own, 'openai', ['audio_input', 'tool_use'], ['vision']],
  ['gpt-4o-search-preview', 'chat', own, 'openai', ['web_search'], ['reasoning']],
  ['gpt-4-turbo-preview', 'chat', own, 'openai', ['tool_use'], ['vision']],
  ['o1-mini', 'chat', own, 'openai', ['reasoning'], ['vision', 'tool_use']],
  ['gpt-3.5-turbo-instruct', 'chat', base, 'openai', ...none],
  ['qwen3-vl-plus', 'chat', plain, 'qwen', ['vision', 'tool_use'], ['computer_use']],
  ['qwen3-235b-a22b', 'chat', plain, 'qwen', ['reasoning'], ['vision']],
  ['qwen3-235b-a22b-instruct-2507', 'chat', plain, 'qwen', [], ['reasoning']],
  ['grok-4-fast-reasoning', 'chat', plain, 'xai', ['reasoning'], []],
  ['grok-4-fast-non-reasoning', 'chat', plain, 'xai', [], ['reasoning']],
  ['command-a-vision-07-2025', 'chat', plain, 'cohere', ['vision'], ['reasoning']],
  ['gemini-embedding-001', 'embedding', embed, 'google', ...none],
  ['gemini-2.5-flash-image', 'image', images, 'google', ...none],
  ['gemini-2.5-flash-preview-tts', 'tts', speech, 'google', ...none],
  ['mistral-embed', 'embedding', embed, 'mistral', ...none],
  ['qwen3-asr-flash', 'transcription', transcribe, 'qwen', ...none],
];

describe('ModelRegistry', () => {
  test.each(KNOWN)('recognizes %s as a model of category %s', (...[id, category, endpoints, provider, is, not]) => {
    const facts = registry.lookup(id)!;
    expect(facts).toMatchObject({
      category,
      endpoints,
      provider,
      availability: 'callable',
      legacyBase: endpoints === base,
    });
    expect(is.filter((flag) => !facts.flags[flag])).toEqual([]);
    expect(not.filter((flag) => facts.flags[flag])).toEqual([]);
  });

  test.each([
    'gpt-4o-realtime-preview',
    'gpt-4o-mini-realtime-preview-2024-12-17',
    'gpt-realtime',
    'gpt-realtime-2025-08-28',
    'gpt-realtime-whisper',
    'openai/gpt-realtime-mini',
    'qwen3-omni-flash-realtime',
    'gemini-live-2.5-flash-preview',
    'gemini-2.5-flash-native-audio-latest',
  ])('recognizes %s as a realtime model without endpoints', (id) => {
    expect(registry.lookup(id)).toMatchObject({ category: 'realtime', endpoints: [] });
  });

  test.each([
    ['openai/gpt-4o', 'gpt-4o'],
    ['OpenAI/GPT-4o', 'gpt-4o'],
    ['gpt-4o-2024-08-06', 'gpt-4o'],
    ['openai/gpt-4o-2024-08-06', 'gpt-4o'],
    ['openai/gpt-4o:free', 'gpt-4o'],
    ['ft:gpt-4o-mini-2024-07-18:acme-tts::abc123', 'gpt-4o-mini'],
    ['anthropic/claude-3.5-sonnet', 'claude-3-5-sonnet-20241022'],
    ['claude-3-5-sonnet-latest', 'claude-3-5-sonnet-20241022'],
    ['claude-3-5-sonnet@20240620', 'claude-3-5-sonnet-20240620'],
    ['anthropic/claude-3.7-sonnet:thinking', 'claude-3-7-sonnet-20250219'],
    ['models/gemini-2.0-flash', 'gemini-2.0-flash'],
    ['google/gemini-2.0-flash-001', 'gemini-2.0-flash'],
    ['meta-llama/llama-3.3-70b-instruct', 'llama-3.3-70b-instruct'],
    ['meta-llama/Llama-3.3-70B-Instruct', 'llama-3.3-70b-instruct'],
    ['mistralai/mistral-large', 'mistral-large-latest'],
    ['x-ai/grok-3-beta', 'grok-3'],
    ['deepseek-ai/deepseek-chat', 'deepseek-chat'],
    ['cohere/embed-english-v3.0', 'embed-english-v3.0'],
    ['Qwen/Qwen3-VL-Plus', 'qwen3-vl-plus'],
    ['ft:davinci-002:acme::1', 'davinci-002'],
  ])('recognizes %s as another ID of %s', (id, plainId) => {
    expect(registry.lookup(id)).toEqual(registry.lookup(plainId));
  });

  test.each([
    ['the ID of another organization', 'acme/gpt-4o'],
    ['an ID with the wrong provider', 'anthropic/gpt-4o'],
    ['an ID without a separator after the family name', 'gpt-45'],
    ['an ID that is longer than an exact one', 'ada-lovelace'],
    ['a kind of model without a category', 'grok-imagine-video'],
    ['a moderation model', 'mistral-moderation-latest'],
    ['an empty ID', ''],
    ['a single slash', '/'],
    ['a provider without a model', 'openai/'],
    ['a property name of Object', '__proto__'],
    ['a property name of Object before a slash', 'constructor/gpt-4o'],
  ])('does not recognize %s: %j', (_what, id) => {
    expect(registry.lookup(id)).toBeNull();
  });

  test('the registry has chat models of nine providers', () => {
    const ids = [
      'gpt-5',
      'claude-opus-4-1',
      'gemini-2.5-pro',
      'llama-4-scout',
      'magistral-small',
      'command-r',
      'deepseek-r1',
      'grok-4',
      'qwen-max',
    ];
    const found = ids.map((id) => registry.lookup(id)).map((facts) => [facts?.category, facts?.provider]);
    expect(found).toEqual(
      ['openai', 'anthropic', 'google', 'meta', 'mistral', 'cohere', 'deepseek', 'xai', 'qwen'].map((provider) => [
        'chat',
        provider,
      ]),
    );
  });
});

describe('canonicalId and undated', () => {
  test.each(['m-latest', 'm-2024-08-06', 'm-08-2024', 'm-20240806', 'm-2507'])('removes the date from %s', (name) =>
    expect(undated(name)).toBe('m'),
  );

  test.each([
    'm',
    'm-123',
    'm-12345',
    'm-1234567',
    'm-123456789',
    'm-abcd',
    'm-latest-x',
    'm-2507-x',
    'm-2024-08-06-x',
    'm-024-08-06',
    'm-12024-08-06',
    'm-abcd-08-06',
    'm-2024-8-06',
    'm-2024-008-06',
    'm-2024-ab-06',
    'm-2024-08-6',
    'm-2024-08-006',
    'm-2024-08-ab',
    'm-08-202',
    'm-08-20245',
    'm-08-abcd',
  ])('finds no date in %s', (name) => expect(undated(name)).toBe(name));

  test.each([
    ['m-1-2024', 'm-1'],
    ['m-123-2024', 'm-123'],
    ['m-ab-2024', 'm-ab'],
  ])('removes only the year from %s', (name, left) => expect(undated(name)).toBe(left));

  test.each([
    ['A.b_c@d.e', { name: 'a-b-c-d-e', maker: null }],
    ['OpenAI/ft:GPT-4o:acme::1', { name: 'gpt-4o', maker: 'openai' }],
    ['my-ft:gpt-4o', { name: 'my-ft', maker: null }],
    ['openai/acme/gpt-4o', null],
    ['acme/gpt-4o', null],
  ])('parses %s as %j', (id, expected) => expect(canonicalId(id)).toEqual(expected));
});
