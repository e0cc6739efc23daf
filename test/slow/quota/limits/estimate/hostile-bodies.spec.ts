import { describe, expect, test } from '@jest/globals';
import { RequestEstimate } from '../../../../../src/quota/limits/estimate/request-estimate.js';
import { messages } from '../../../../quota/limits/estimate/estimates.js';

const BYTES = 9_500_000;
const ROUTES = [
  ['text', '/v1/chat/completions'],
  ['text', '/v1/completions'],
  ['embeddings', '/v1/embeddings'],
  ['images', '/v1/images/edits'],
  ['transcription', '/v1/audio/transcriptions'],
] as const;

type Body = Record<string, unknown>;
const said = (part: unknown): Body => ({ messages: messages([part]) });
const list = (length: number, entryAt: (at: number) => unknown) => Array.from({ length }, (_, at) => entryAt(at));
const fields = (count: number, suffix: string, value: unknown): Body =>
  Object.fromEntries(list(count, (at) => [`${at}${suffix}`, value]) as [string, unknown][]);

describe('hostile bodies', () => {
  test.each<[string, () => Body]>([
    ['beginnings of data URLs', () => said({ type: 'file', file: fields(34_000, 'url', `data:${'a'.repeat(260)}`) })],
    ['data URLs with many attributes', () => said(fields(34_000, 'url', `data:${';base64'.repeat(36)}`))],
    ['a long string that is almost base64', () => said({ type: 'file', file: { data: `${'a'.repeat(BYTES)} ` } })],
    ['a part in a part', () => said({ type: 'file', file: { type: 'file', file_data: 'a'.repeat(BYTES) } })],
    ['a long field name', () => said({ ['_url'.repeat(BYTES / 4)]: 'a'.repeat(300) })],
    ['half a million objects', () => said(list(500_000, () => ({})))],
    ['half a million fields', () => fields(500_000, '', 1)],
    ['half a million tools', () => ({ ...said('a'), tools: list(500_000, () => ({ type: 'web' })) })],
    ['half a million items', () => ({ input: list(500_000, () => ({ id: 1 })) })],
    ['half a million fallbacks', () => ({ ...said('a'), fallbacks: list(500_000, (at) => `m${at}`) })],
    ['four million numbers', () => ({ prompt: list(4_000_000, () => 7), input: [[7]] })],
    ['a million lists', () => ({ prompt: list(1_000_000, () => [99_999]) })],
  ])('an estimate ends for 9.5 MB of %s', (_, make) => {
    const json = make();
    const body = Buffer.alloc(BYTES);
    for (const [kind, endpoint] of ROUTES) {
      const given = { kind, endpoint, json, body, model: 'gpt-4o', outputExpected: 1, outputDefault: 1 };
      const estimate = new RequestEstimate(given);
      expect(estimate.of('full').inputTokens).toBeGreaterThanOrEqual(estimate.of('typical').inputTokens);
    }
  });
});
