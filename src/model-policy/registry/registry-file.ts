import { readFileSync } from 'node:fs';
import { ConfigError } from '../../platform/config/config.js';
import { isObject, type JsonObject } from '../../platform/validation/check.js';
import { MODEL_ENDPOINTS, type ModelEndpoint, MODEL_CATEGORIES, type ModelCategory } from './endpoints.data.js';
import { AVAILABILITIES, MODEL_FLAGS, PROVIDER_SLUG, type Availability, type ModelFlag } from './model-facts.js';

export interface RegistryEntry {
  readonly category?: ModelCategory;
  readonly provider?: string;
  readonly endpoints?: readonly ModelEndpoint[];
  readonly availability?: Availability;
  readonly flags: Readonly<Partial<Record<ModelFlag, boolean>>>;
}

export type RegistryExtension = ReadonlyMap<string, RegistryEntry>;

const FILE_BYTES_MAX = 16 * 1024 * 1024;
const FIELDS: readonly string[] = ['id', 'category', 'provider', 'availability', 'endpoints', ...MODEL_FLAGS];

/**
 * Reads the `GW_MODEL_REGISTRY` file (D12).
 * @throws ConfigError with a one-line message that names the invalid field and the allowed values
 */
export function readRegistryFile(path: string | null): RegistryExtension {
  return path === null ? new Map() : parseRegistryFile(textOf(path));
}

export function parseRegistryFile(text: string): RegistryExtension {
  const file = parsed(text);
  const models = isObject(file) && Object.keys(file).join() === 'models' ? file['models'] : undefined;
  if (!Array.isArray(models)) reject('the file', '{"models": […]} without other fields');
  const entries = new Map<string, RegistryEntry>();
  models.forEach((model: unknown, at) => {
    const where = `models[${at}]`;
    if (!isObject(model)) reject(where, 'an object');
    const id = model['id'];
    if (typeof id !== 'string' || id.length < 1 || id.length > 200)
      reject(`${where}.id`, 'a string of 1 to 200 characters');
    if (entries.has(id)) reject(`${where}.id`, 'unique');
    entries.set(id, entryOf(model, where));
  });
  return entries;
}

function entryOf(model: JsonObject, where: string): RegistryEntry {
  const unknown = Object.keys(model).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined)
    reject(`${where}.${JSON.stringify(unknown.slice(0, 50))}`, `one of the fields ${FIELDS.join(', ')}`);
  const { category, provider, availability, endpoints } = model;
  if (provider !== undefined && !(typeof provider === 'string' && PROVIDER_SLUG.test(provider))) {
    reject(`${where}.provider`, '2 to 32 lowercase letters, digits, "_" or "-"');
  }
  if (endpoints !== undefined && !Array.isArray(endpoints)) reject(`${where}.endpoints`, 'an array');
  return {
    category: category === undefined ? undefined : oneOf(MODEL_CATEGORIES, category, `${where}.category`),
    provider,
    availability: availability === undefined ? undefined : oneOf(AVAILABILITIES, availability, `${where}.availability`),
    endpoints: endpoints?.map((path: unknown, at) => oneOf(MODEL_ENDPOINTS, path, `${where}.endpoints[${at}]`)),
    flags: Object.fromEntries(
      MODEL_FLAGS.filter((flag) => model[flag] !== undefined).map((flag) => {
        const value = model[flag];
        return [flag, typeof value === 'boolean' ? value : reject(`${where}.${flag}`, 'true or false')];
      }),
    ),
  };
}

function oneOf<T extends string>(allowed: readonly T[], value: unknown, where: string): T {
  return allowed.find((name) => name === value) ?? reject(where, `one of ${allowed.join(', ')}`);
}

function reject(where: string, allowed: string): never {
  throw new ConfigError(`GW_MODEL_REGISTRY names an invalid file: ${where} must be ${allowed}.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the file, including its line breaks.
    return reject('the file', 'JSON');
  }
}

function textOf(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new ConfigError(
      `GW_MODEL_REGISTRY names ${JSON.stringify(path.slice(0, 200))}, which cannot be read (${reason}). Use the path of a readable JSON file.`,
    );
  }
  return text.length <= FILE_BYTES_MAX ? text : reject('the file', 'at most 16 MiB');
}
