import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CALL = /_client\s*\.\s*(post|get|put|patch|delete|getAPIList)\(\s*(?:path\s*)?(?:(['`])(.*?)\2|([\w.]+))/g;
/** The provider returns this URL in a batch, and the SDK requests it. */
const NAMED_BY_PROVIDER: Readonly<Record<string, string>> = {
  'batch.results_url': '/v1/messages/batches/{}/results',
};

/** Returns every method and path that an SDK requests, with IDs as `{}`, for example `POST /v1/uploads/{}/parts`. */
export function sdkRoutes(sdk: 'openai' | '@anthropic-ai/sdk'): string[] {
  const folder = join(import.meta.dirname, '../../node_modules', sdk, 'resources');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.mjs'));
  const routes = files.flatMap((file) => routesIn(readFileSync(join(folder, file), 'utf8')));
  return [...new Set(routes)].sort();
}

function routesIn(source: string): string[] {
  return [...source.matchAll(CALL)].map((match) => {
    const [, verb, , path, expression] = match;
    const written = path ?? NAMED_BY_PROVIDER[expression!];
    if (written === undefined) throw new Error(`A path cannot be read from the SDK: ${match[0]}`);
    const ids = written.replace(/\?.*$/, '').replace(/\$\{\w+\}/g, '{}');
    return `${methodOf(verb!, source, match.index)} ${ids.startsWith('/v1/') ? ids : `/v1${ids}`}`;
  });
}

/** A list is a GET unless the statement names another method. */
function methodOf(verb: string, source: string, at: number): string {
  if (verb !== 'getAPIList') return verb.toUpperCase();
  const statement = source.slice(at, source.indexOf(';\n', at));
  return (/\bmethod: '(\w+)'/.exec(statement)?.[1] ?? 'get').toUpperCase();
}
