import { parameterName } from '../platform/routes/parameter-name.rules.js';

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
export const stripCredentialParameters = (path: string): string => withoutParameters(path, CREDENTIAL_NAMES);

/**
 * Parameters that the operator configures, without `?`. They replace the client's parameters of the same name, because a provider
 * could use the first of two.
 */
export class ConfiguredQuery {
  private readonly names: ReadonlySet<string>;

  constructor(private readonly text: string) {
    this.names = new Set(text.split('&').map(nameOf));
  }

  /** @param path with the client's query, if it has one */
  addTo(path: string): string {
    if (this.text === '') return path;
    const rest = withoutParameters(path, this.names);
    if (!rest.includes('?')) return `${rest}?${this.text}`;
    return rest.endsWith('?') ? rest + this.text : `${rest}&${this.text}`;
  }
}

function withoutParameters(path: string, names: ReadonlySet<string>): string {
  const at = path.indexOf('?');
  if (at === -1) return path;
  const parameters = path.slice(at + 1).split('&');
  const kept = parameters.filter((parameter) => !names.has(nameOf(parameter)));
  if (kept.length === parameters.length) return path;
  return kept.length === 0 ? path.slice(0, at) : `${path.slice(0, at)}?${kept.join('&')}`;
}

const nameOf = (parameter: string): string => parameterName(parameter.replaceAll('+', ' ')).toLowerCase();
