import { parameterName } from '../routes/parameter-name.rules.js';

const CREDENTIAL_NAMES: ReadonlySet<string> = new Set([
  'apikey',
  'api_key',
  'api-key',
  'x-api-key',
  'key',
  'token',
  'access_token',
  'auth',
  'authorization',
  'secret',
  'client_secret',
  'password',
  'passwd',
  'pwd',
]);

/** Removes credentials from the query (D6). Names match regardless of case, plain or percent-encoded. */
export function stripCredentialParameters(path: string): string {
  const at = path.indexOf('?');
  if (at === -1) return path;
  const parameters = path.slice(at + 1).split('&');
  const kept = parameters.filter((parameter) => !isCredential(parameter));
  if (kept.length === parameters.length) return path;
  return kept.length === 0 ? path.slice(0, at) : `${path.slice(0, at)}?${kept.join('&')}`;
}

const isCredential = (parameter: string): boolean => CREDENTIAL_NAMES.has(parameterName(parameter).toLowerCase());
