import { certificateFile, privateKeyFile } from '../tls-files.rules.js';
import { proxyUrlOrOff } from '../egress-proxy.kinds.js';
import { httpUrl, type SettingKind } from '../setting-kinds.js';
import { SETTINGS } from '../settings.data.js';
import {
  APIS,
  COMPLETIONS,
  CREDENTIAL_HEADERS,
  FAILOVER_DEADLINE_MS,
  FAILOVER_STATUSES,
  FROM_CATALOG,
  STICKY,
  STRATEGIES,
} from './upstreams-file.js';

type Schema = Readonly<Record<string, unknown>>;

export const UPSTREAMS_MAX = 64;
export const ROUTES_MAX = 256;
const MODELS_MAX = 1000;
const HEADERS_MAX = 50;
const TAGS_MAX = 32;
const WEIGHT_MAX = 1000;
const STATUSES_MAX = 50;
const DEADLINE_MS_MAX = 600_000;

/** Lone surrogates cannot be sent, and a line break in a name would forge a log line. */
const ONE_LINE = String.raw`^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]+$`;
/** The same limit as for the model of a request. */
const MODEL_LENGTH_MAX = 200;

const OR = new Intl.ListFormat('en', { type: 'disjunction' });

const object = (description: string, properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: 'object',
  description,
  errorMessage: `must be an object with fields such as ${OR.format(Object.keys(properties).slice(0, 2))}. Indent them below the name.`,
  additionalProperties: false,
  properties,
  ...more,
});

const text = (description: string, errorMessage: string, more: Schema = {}): Schema => ({
  type: 'string',
  description,
  errorMessage,
  ...more,
});

const oneOf = (description: string, names: readonly string[]): Schema =>
  text(description, `must be ${OR.format(names)}. Use one of them.`, { enum: names });

interface ListSchema {
  readonly max: number;
  readonly items: Schema;
  /** The noun for the items, in the error message. */
  readonly of: string;
}

const listOf = (description: string, { max, items, of }: ListSchema, more: Schema = {}): Schema => ({
  type: 'array',
  description,
  errorMessage: `must be a list of at most ${max} ${of}. Write - before each.`,
  maxItems: max,
  items,
  ...more,
});

function integer(description: string, min: number, max: number): Schema {
  const errorMessage = `must be a whole number from ${min} to ${max}. Write it without quotes and units.`;
  return { type: 'integer', description, errorMessage, minimum: min, maximum: max };
}

/** An integer field that overrides a setting, with the bounds of that setting. */
function likeSetting(
  description: string,
  { env, kind }: { readonly env: string; readonly kind: SettingKind<unknown> },
) {
  return integer(
    `${description} The default is \`${env}\`.`,
    Number(kind.schema['minimum']),
    Number(kind.schema['maximum']),
  );
}

export const NAME_PATTERN = '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$';
const NAME_ERROR =
  'must have 1 to 63 lower-case letters, digits and hyphens, and begin and end with a letter or digit. Use such a name.';
const name = (description: string): Schema => text(description, NAME_ERROR, { pattern: NAME_PATTERN });

const model = (description: string): Schema =>
  text(description, `must be text of 1 to ${MODEL_LENGTH_MAX} characters on one line. Put numbers in quotes.`, {
    pattern: ONE_LINE,
    maxLength: MODEL_LENGTH_MAX,
  });

const env = text(
  'Environment variable that contains the secret. It is read at startup.',
  'must be the name of an environment variable. Write the name only, without $ and without the secret.',
  { pattern: '^[A-Za-z_][A-Za-z0-9_]{0,127}$' },
);

const path = (description: string, allowed = 'the path of a readable file'): Schema =>
  text(description, `must be ${allowed}. Write the path.`, { pattern: ONE_LINE, maxLength: 4096 });

const file = path('File that contains the secret. One newline at the end is removed. A changed file is read again.');

const EITHER = [{ required: ['env'] }, { required: ['file'] }];

const credential = object(
  'Secret of the account. Without it, the gateway sends none.',
  {
    env,
    file,
    header: oneOf(
      'Request header of the secret. `authorization` sends it as `Bearer`. The default is `authorization` for OpenAI requests, and `x-api-key` for Anthropic requests.',
      CREDENTIAL_HEADERS,
    ),
  },
  {
    oneOf: EITHER,
    errorMessage: 'must be an object with env or file. Name the variable or the file that contains the secret.',
  },
);

const HEADER_VALUE_ERROR =
  'must be text without control characters, or an object with env or file. Put numbers in quotes.';

const headers: Schema = {
  type: 'object',
  description:
    'Request headers that the gateway adds. A value is text, or an object with `env` or `file` for a secret, as in `credential`.',
  errorMessage: `must be an object of at most ${HEADERS_MAX} header names and values. Write Name: value below it.`,
  maxProperties: HEADERS_MAX,
  propertyNames: {
    pattern: '^[A-Za-z0-9-]{1,100}$',
    errorMessage: 'is not a header name. Use letters, digits and hyphens.',
  },
  additionalProperties: {
    anyOf: [
      { type: 'string', pattern: String.raw`^[\t\x20-\x7e\x80-\xff]+$`, errorMessage: HEADER_VALUE_ERROR },
      object('A secret header value.', { env, file }, { oneOf: EITHER, errorMessage: HEADER_VALUE_ERROR }),
    ],
    errorMessage: HEADER_VALUE_ERROR,
  },
};

const query: Schema = {
  type: 'object',
  description: 'Query parameters that the gateway adds to each request. It encodes names and values.',
  errorMessage: 'must be an object of at most 50 parameter names and values. Write name: value below it.',
  maxProperties: 50,
  propertyNames: { pattern: ONE_LINE, maxLength: 100, errorMessage: 'is not a parameter name. Use text on one line.' },
  additionalProperties: text('Value of the parameter.', 'must be text on one line. Put numbers and dates in quotes.', {
    pattern: ONE_LINE,
    maxLength: 4096,
  }),
};

const aliases: Schema = {
  type: 'object',
  description: 'Additional model names: the name that clients send, and the ID that is sent to this upstream.',
  errorMessage: `must be an object of at most ${MODELS_MAX} names and model IDs. Write name: ID below it.`,
  maxProperties: MODELS_MAX,
  propertyNames: {
    pattern: ONE_LINE,
    maxLength: MODEL_LENGTH_MAX,
    errorMessage: `is not a model name. Use 1 to ${MODEL_LENGTH_MAX} characters on one line.`,
  },
  additionalProperties: model('Model ID that is sent to the upstream.'),
};

const MODELS_ERROR = `must be ${FROM_CATALOG}, or a list of at most ${MODELS_MAX} model IDs. Write - before each ID.`;

const models: Schema = {
  description: `Models of this upstream: a list of IDs, or \`${FROM_CATALOG}\` to read them from \`GET /models\`. The list can be empty if there are aliases.`,
  default: FROM_CATALOG,
  errorMessage: MODELS_ERROR,
  anyOf: [
    { type: 'string', const: FROM_CATALOG, errorMessage: MODELS_ERROR },
    { type: 'array', maxItems: MODELS_MAX, uniqueItems: true, items: model('A model ID.'), errorMessage: MODELS_ERROR },
  ],
};

const tls = object(
  'PEM files for TLS. Without them, the public authorities and no client certificate are used. A changed file is read again.',
  {
    ca: path(
      'Certificates of the authorities that can sign the certificate of the upstream.',
      certificateFile().allowed,
    ),
    certificate: path('Client certificate, followed by intermediate ones.', certificateFile().allowed),
    key: path('Private key of `certificate`.', privateKeyFile().allowed),
  },
  { dependencies: { certificate: ['key'], key: ['certificate'] } },
);

const timeouts = object('Timeouts in milliseconds.', {
  connect_ms: likeSetting(
    'For connecting. It also limits the wait for a free connection.',
    SETTINGS.upstreamConnectTimeoutMs,
  ),
  head_ms: likeSetting('For the response headers.', SETTINGS.upstreamHeadTimeoutMs),
  idle_ms: likeSetting('Longest pause between two chunks of a response.', SETTINGS.upstreamIdleTimeoutMs),
});

const upstream = object(
  'One account of a provider.',
  {
    name: name('Name in logs, metrics and routes. It is unique in the file.'),
    base_url: text(
      'Base URL of the provider, usually with `/v1`.',
      `must be ${httpUrl().allowed}. Write for example https://api.openai.com/v1.`,
      { pattern: httpUrl().schema['pattern'], maxLength: 2048 },
    ),
    apis: {
      ...listOf(
        'APIs that the upstream supports. Requests are never translated, so it receives only requests for these APIs.',
        { max: APIS.length, items: oneOf('An API.', APIS), of: 'APIs' },
      ),
      errorMessage: `must be a list with ${APIS.join(', ')}, or both. Write for example [${APIS[0]}].`,
      minItems: 1,
      uniqueItems: true,
      default: [APIS[0]],
    },
    completions: oneOf(
      'How `/v1/completions` is served: unchanged by the route of the upstream (`native`), or by a chat completion (`emulated`). The default depends on the profile, the host and the model.',
      COMPLETIONS,
    ),
    credential,
    headers,
    query,
    proxy: text(
      `HTTP proxy for requests to this upstream, or \`off\`. The default is the proxy of the egress settings.`,
      `must be ${proxyUrlOrOff().allowed}. Write for example http://proxy.example:3128.`,
      { maxLength: 2048 },
    ),
    tls,
    timeouts,
    connections: likeSetting('Maximum number of connections.', SETTINGS.upstreamConnections),
    models,
    aliases,
    region: text(
      'Region of the account, shown to operators.',
      'must be text of 1 to 64 characters on one line. Put numbers in quotes.',
      {
        pattern: ONE_LINE,
        maxLength: 64,
      },
    ),
    tags: listOf(
      'Labels, shown to operators.',
      {
        max: TAGS_MAX,
        items: text('A label.', 'must be text of 1 to 64 characters on one line. Put numbers in quotes.', {
          pattern: ONE_LINE,
          maxLength: 64,
        }),
        of: 'labels',
      },
      { uniqueItems: true },
    ),
    repeat_sent: {
      type: 'boolean',
      description:
        'With `true`, requests that the provider might have processed can be sent to another upstream. Both providers can bill them.',
      errorMessage: 'must be true or false. Write it without quotes.',
      default: false,
    },
    failover_statuses: listOf(
      'Response statuses that move a request to another upstream. 401 to 404 move it only if they are about the account or the model. The list replaces the default.',
      { max: STATUSES_MAX, items: integer('A status.', 400, 599), of: 'statuses' },
      { uniqueItems: true, default: FAILOVER_STATUSES },
    ),
  },
  { required: ['name', 'base_url'] },
);

const DEADLINE_ERROR = `must be a duration of at most ${DEADLINE_MS_MAX / 60_000} minutes, such as 10s or 800ms. Without a unit, it is in milliseconds.`;

const failoverDeadline: Schema = {
  description:
    'How long a request can move to further upstreams before its response begins. The attempt that runs at that time is the last one.',
  default: `${FAILOVER_DEADLINE_MS / 1000}s`,
  errorMessage: DEADLINE_ERROR,
  anyOf: [
    { type: 'string', pattern: '^([1-9]\\d{0,2}s|[1-9]\\d{0,5}ms)$', errorMessage: DEADLINE_ERROR },
    { ...integer('Milliseconds.', 1, DEADLINE_MS_MAX), errorMessage: DEADLINE_ERROR },
  ],
};

const FIELD_ERROR =
  'must be the name of an upstream, or an object with name and weight. Write for example {name: a, weight: 1}.';

const route = object(
  'Selects the upstreams of some models.',
  {
    models: model('A model ID, or a pattern in which `*` matches any characters.'),
    upstreams: {
      ...listOf('Upstreams in order of preference, or all with weights.', {
        max: UPSTREAMS_MAX,
        items: {
          errorMessage: FIELD_ERROR,
          anyOf: [
            { ...name('Name of an upstream.'), errorMessage: FIELD_ERROR },
            object(
              'An upstream with a weight.',
              {
                name: name('Name of an upstream.'),
                weight: integer('Share of the requests, relative to the other weights.', 1, WEIGHT_MAX),
              },
              { required: ['name'], errorMessage: FIELD_ERROR },
            ),
          ],
        },
        of: 'upstreams',
      }),
      errorMessage: `must be a list of 1 to ${UPSTREAMS_MAX} upstreams. Write for example [a, b].`,
      minItems: 1,
    },
    strategy: oneOf(
      'How the first upstream is chosen: as listed (`order`), at random by `weight`, by the lowest recent `latency`, or by the lowest `price`. The default is `weight` if the upstreams have weights, otherwise `order`.',
      STRATEGIES,
    ),
    fallbacks: object(
      'Models that serve a request instead if the provider rejects its content. Only upstreams with the same API are used.',
      {
        context_length: model('Model ID or alias for requests that are too long for the context window of the model.'),
        content_filter: model('Model ID or alias for requests that the content filter of the provider rejects.'),
      },
    ),
    sticky: {
      ...oneOf(
        'Keeps requests at one upstream: those of an API key with `key`, those of a conversation with `conversation`.',
        STICKY,
      ),
      default: STICKY[0],
    },
  },
  { required: ['models', 'upstreams'] },
);

/**
 * The JSON schema of the file of `GW_UPSTREAMS`. `errorMessage` follows the path of a wrong value, in the gateway and in editors.
 * Draft 7 is the newest one that the common editors support completely. `node tools/write-upstreams-schema.js` writes it to
 * `docs/upstreams.schema.json`.
 */
export const UPSTREAMS_SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Upstreams of the inference gateway',
  ...object(
    'The file of `GW_UPSTREAMS`.',
    {
      $schema: text('Address of this schema, for editors.', 'must be text. Write the address of the schema.'),
      upstreams: {
        ...listOf('The accounts. Without a matching route, they are tried in this order.', {
          max: UPSTREAMS_MAX,
          items: upstream,
          of: 'upstreams',
        }),
        errorMessage: `must be a list of 1 to ${UPSTREAMS_MAX} upstreams. Write - before each.`,
        minItems: 1,
      },
      routes: {
        ...listOf(
          'Upstreams by model. The first match applies. Without a match, all upstreams that serve the model are used.',
          { max: ROUTES_MAX, items: route, of: 'routes' },
        ),
        default: [],
      },
      failover_deadline: failoverDeadline,
    },
    {
      required: ['upstreams'],
      errorMessage: 'must be an object with upstreams. Write upstreams: on the first line.',
    },
  ),
};
