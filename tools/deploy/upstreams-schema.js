import { UPSTREAMS_SCHEMA } from '../../dist/src/platform/config/upstreams/upstreams-schema.data.js';

/** Returns the gateway's JSON schema for `upstreams.file` in the chart, in the dialect of Helm. */
export function upstreamsSchema() {
  const schema = forHelm(UPSTREAMS_SCHEMA);
  delete schema.$schema;
  delete schema.title;
  schema.properties.upstreams.items.properties.proxy = PROXY;
  return schema;
}

/** Everyone who can read the release can read its values, so a password is rejected. YAML reads a bare `off` as false. */
const PROXY = {
  description:
    'HTTP proxy for requests to this upstream, or `off`. A proxy with a user or a password requires a Secret with the file.',
  anyOf: [{ type: 'string', maxLength: 2048, pattern: '^(off|https?://[^@/\\s]+/?)$' }, { const: false }],
};

function forHelm(part) {
  if (Array.isArray(part)) return part.map(forHelm);
  if (part === null || typeof part !== 'object') return part;
  // Helm shows its own messages.
  const kept = Object.entries(part).filter(([name, value]) => name !== 'errorMessage' || typeof value !== 'string');
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      name === 'pattern' && typeof value === 'string' ? goPattern(value) : forHelm(value),
    ]),
  );
}

const IN_GO = { '\\u2028': '\\p{Zl}', '\\u2029': '\\p{Zp}' };

/** Go's regular expressions have no `\u`, and its strings have no surrogates. The result is valid in JavaScript too. */
function goPattern(pattern) {
  const text = pattern
    .replace('\\ud800-\\udfff', '')
    .replace(/\\u00([0-9a-f]{2})/g, '\\x$1')
    .replace(/\\u202[89]/g, (character) => IN_GO[character]);
  if (text.includes('\\u')) throw new Error(`Add the characters of ${pattern} to upstreams-schema.js.`);
  return text;
}
