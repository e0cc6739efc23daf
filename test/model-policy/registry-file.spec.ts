import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ConfigError } from '../../src/platform/config/config.js';
import { ModelRegistry } from '../../src/model-policy/registry/model-registry.js';
import { parseRegistryFile, readRegistryFile } from '../../src/model-policy/registry/registry-file.js';

const registryOf = (...models: object[]) => new ModelRegistry(parseRegistryFile(JSON.stringify({ models })));

describe('entries of the registry file', () => {
  test('an entry overrides its fields, and the other fields keep their built-in values', () => {
    const builtIn = new ModelRegistry().lookup('gpt-4o')!;
    expect(registryOf({ id: 'gpt-4o', availability: 'registry_broken', vision: false }).lookup('gpt-4o')).toEqual({
      ...builtIn,
      availability: 'registry_broken',
      flags: { ...builtIn.flags, vision: false },
    });
  });

  test('an entry with only an ID changes nothing', () => {
    for (const id of ['gpt-4o', 'davinci-002']) {
      expect(registryOf({ id }).lookup(id)).toEqual(new ModelRegistry().lookup(id));
    }
  });

  test('an entry adds a model with the endpoints of its category and provider', () => {
    const registry = registryOf(
      { id: 'acme-1', category: 'chat', provider: 'acme', tool_use: true },
      { id: 'acme-2', category: 'chat', provider: 'openai' },
      { id: 'acme-3', category: 'embedding' },
      { id: 'acme-4', category: 'chat', endpoints: ['/v1/completions'] },
    );
    expect(registry.lookup('acme-1')).toMatchObject({
      category: 'chat',
      provider: 'acme',
      availability: 'callable',
      endpoints: ['/v1/chat/completions', '/v1/completions'],
      flags: { tool_use: true, vision: false },
    });
    expect(registry.lookup('acme-2')?.endpoints).toContain('/v1/responses');
    expect(registry.lookup('acme-3')).toMatchObject({ provider: null, endpoints: ['/v1/embeddings'] });
    expect(registry.lookup('acme-4')?.legacyBase).toBe(true);
  });

  test('an entry that changes the category also changes the endpoints unless it names them', () => {
    expect(registryOf({ id: 'gpt-4o', category: 'image' }).lookup('gpt-4o')?.endpoints).toEqual([
      '/v1/images/generations',
      '/v1/images/edits',
    ]);
    expect(registryOf({ id: 'gpt-4o', endpoints: ['/v1/responses'] }).lookup('gpt-4o')).toMatchObject({
      category: 'chat',
      endpoints: ['/v1/responses'],
      legacyBase: false,
    });
  });

  test('an entry applies only to its exact ID', () => {
    const registry = registryOf({ id: 'gpt-4o', availability: 'registry_broken' });
    expect(registry.lookup('openai/gpt-4o')?.availability).toBe('callable');
  });
});

describe('invalid registry files', () => {
  test.each([
    ['invalid JSON', '{"models": [\n'],
    ['an array', '[]'],
    ['null', 'null'],
    ['an object without models', '{}'],
    ['another field alongside models', '{"models": [], "version": 1}'],
    ['models that are not an array', '{"models": {}}'],
    ['an entry that is not an object', '{"models": ["gpt-4o"]}'],
    ['an entry without an ID', '{"models": [{"category": "chat"}]}'],
    ['an empty ID', '{"models": [{"id": ""}]}'],
    ['an ID of 201 characters', JSON.stringify({ models: [{ id: 'x'.repeat(201) }] })],
    ['a repeated ID', '{"models": [{"id": "a"}, {"id": "a"}]}'],
    ['an unknown field', '{"models": [{"id": "a", "colour": "red"}]}'],
    ['an unknown category', '{"models": [{"id": "a", "category": "video"}]}'],
    ['a category of null', '{"models": [{"id": "a", "category": null}]}'],
    ['a provider that is not a slug', '{"models": [{"id": "a", "provider": "Open AI"}]}'],
    ['an unknown availability', '{"models": [{"id": "a", "availability": "maybe"}]}'],
    ['endpoints that are not an array', '{"models": [{"id": "a", "endpoints": "/v1/embeddings"}]}'],
    ['an unknown endpoint', '{"models": [{"id": "a", "endpoints": ["/v1/files"]}]}'],
    ['a flag that is not a boolean', '{"models": [{"id": "a", "vision": "true"}]}'],
  ])('rejects a registry file with %s', (_what, text) => {
    const start = () => parseRegistryFile(text);
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(/^GW_MODEL_REGISTRY names an invalid file: [^\n]+$/);
  });

  test('the error names the invalid field and its allowed values', () => {
    expect(() => parseRegistryFile('{"models": [{"id": "a"}, {"id": "b", "availability": 1}]}')).toThrow(
      'models[1].availability must be one of callable, listed_unavailable, registry_broken, unclassified',
    );
  });

  test('the error for a missing file names the path and the cause', () => {
    expect(() => readRegistryFile('/nowhere/registry.json')).toThrow(
      /^GW_MODEL_REGISTRY names "\/nowhere\/registry.json"[^\n]+ENOENT/,
    );
  });
});

test('reads the file at a path, and returns an empty extension without a path', () => {
  expect(readRegistryFile(null).size).toBe(0);
  const folder = mkdtempSync(join(tmpdir(), 'registry-'));
  try {
    writeFileSync(join(folder, 'registry.json'), '{"models": [{"id": "acme-1", "category": "tts"}]}');
    expect(readRegistryFile(join(folder, 'registry.json')).get('acme-1')?.category).toBe('tts');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
