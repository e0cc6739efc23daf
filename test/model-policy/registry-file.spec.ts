import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ConfigError } from '../../src/config/config.js';
import { ModelRegistry } from '../../src/model-policy/registry/model-registry.js';
import { parseRegistryFile, readRegistryFile } from '../../src/model-policy/registry/registry-file.js';

const registryOf = (...models: object[]) => new ModelRegistry(parseRegistryFile(JSON.stringify({ models })));

describe('an entry of the registry file', () => {
  test('overrides the fields that it names and leaves the others as they are built in', () => {
    const builtIn = new ModelRegistry().lookup('gpt-4o')!;
    expect(registryOf({ id: 'gpt-4o', availability: 'registry_broken', vision: false }).lookup('gpt-4o')).toEqual({
      ...builtIn,
      availability: 'registry_broken',
      flags: { ...builtIn.flags, vision: false },
    });
  });

  test('with nothing but an id changes nothing', () => {
    for (const id of ['gpt-4o', 'davinci-002']) {
      expect(registryOf({ id }).lookup(id)).toEqual(new ModelRegistry().lookup(id));
    }
  });

  test('makes a model known, with the endpoints of its category and maker', () => {
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

  test('that changes the category changes the endpoints with it, unless it names them', () => {
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

  test('holds for its exact id only', () => {
    const registry = registryOf({ id: 'gpt-4o', availability: 'registry_broken' });
    expect(registry.lookup('openai/gpt-4o')?.availability).toBe('callable');
  });
});

describe('a registry file that cannot be used ends the start', () => {
  test.each([
    ['no JSON', '{"models": [\n'],
    ['an array', '[]'],
    ['null', 'null'],
    ['no models', '{}'],
    ['a member beside models', '{"models": [], "version": 1}'],
    ['models that are no array', '{"models": {}}'],
    ['an entry that is no object', '{"models": ["gpt-4o"]}'],
    ['an entry without id', '{"models": [{"category": "chat"}]}'],
    ['an empty id', '{"models": [{"id": ""}]}'],
    ['an id of 201 characters', JSON.stringify({ models: [{ id: 'x'.repeat(201) }] })],
    ['an id twice', '{"models": [{"id": "a"}, {"id": "a"}]}'],
    ['an unknown field', '{"models": [{"id": "a", "colour": "red"}]}'],
    ['an unknown category', '{"models": [{"id": "a", "category": "video"}]}'],
    ['a category that is null', '{"models": [{"id": "a", "category": null}]}'],
    ['a provider that is no slug', '{"models": [{"id": "a", "provider": "Open AI"}]}'],
    ['an unknown availability', '{"models": [{"id": "a", "availability": "maybe"}]}'],
    ['endpoints that are no array', '{"models": [{"id": "a", "endpoints": "/v1/embeddings"}]}'],
    ['an unknown endpoint', '{"models": [{"id": "a", "endpoints": ["/v1/files"]}]}'],
    ['a flag that is no boolean', '{"models": [{"id": "a", "vision": "true"}]}'],
  ])('%s', (_what, text) => {
    const start = () => parseRegistryFile(text);
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(/^GW_MODEL_REGISTRY names a file that cannot be used: [^\n]+$/);
  });

  test('the message names the place and what is allowed there', () => {
    expect(() => parseRegistryFile('{"models": [{"id": "a"}, {"id": "b", "availability": 1}]}')).toThrow(
      'models[1].availability has to be callable or listed_unavailable or registry_broken or unclassified',
    );
  });

  test('a file that is not there', () => {
    expect(() => readRegistryFile('/nowhere/registry.json')).toThrow(
      /^GW_MODEL_REGISTRY cannot be "\/nowhere\/registry.json"[^\n]+ENOENT/,
    );
  });
});

test('no path is an empty extension, a path is read', () => {
  expect(readRegistryFile(null).size).toBe(0);
  const folder = mkdtempSync(join(tmpdir(), 'registry-'));
  try {
    writeFileSync(join(folder, 'registry.json'), '{"models": [{"id": "acme-1", "category": "tts"}]}');
    expect(readRegistryFile(join(folder, 'registry.json')).get('acme-1')?.category).toBe('tts');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
