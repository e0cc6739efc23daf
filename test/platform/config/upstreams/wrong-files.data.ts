/** Wrong files, and their problems without the path of the file. */
export type Row = readonly [text: string, problems: readonly string[]];

export const ENTRY = 'upstreams:\n  - name: a\n    base_url: https://a.example/v1\n';
export const URL_PROBLEM =
  'must be a URL that starts with http:// or https://, without user, password, query or fragment. Write for example https://api.openai.com/v1.';
const NAME_PROBLEM =
  'must have 1 to 63 lower-case letters, digits and hyphens, and begin and end with a letter or digit. Use such a name.';
const PROXY_PROBLEM =
  'must be a URL that starts with http:// or https:// and has no path, with special characters of the password percent-encoded, or off. Write for example http://proxy.example:3128.';
const CREDENTIAL_PROBLEM =
  'must be an object with env or file. Name the variable or the file that contains the secret.';
const HEADER_PROBLEM = 'must be text without control characters, or an object with env or file. Put numbers in quotes.';
const FIELD_PROBLEM =
  'must be the name of an upstream, or an object with name and weight. Write for example {name: a, weight: 1}.';

export const SYNTAX: readonly Row[] = [
  ['', ['1:1: The file is empty. Write upstreams: on the first line.']],
  ['# only a comment', ['1:1: The file is empty. Write upstreams: on the first line.']],
  [
    'a: [1',
    ['1:6: The indentation is invalid, or a bracket or brace is not closed. Indent lists and objects with spaces.'],
  ],
  ['a: "x', ['1:6: A quote, bracket, colon or comma is missing. Add it.']],
  ['a: 1\n---\nb: 2', ['2:1: The file has a second document after ---. Use one document.']],
  ['? [a]\n: 1', ['1:3: The name of a field must be text. Use a name.']],
  ['\ta: 1', ['1:1: Tabs cannot be used for indentation. Use spaces.']],
  [
    'a: 1\n b: 2',
    ['1:4: A second field is on the same line, or the next line is indented too far. Check the indentation.'],
  ],
  ['a: !secret x', ['1:4: YAML tags (!name) are not supported. Remove the tag, or put the value in quotes.']],
  ['a: !!binary aGk=', ['1:4: YAML tags (!name) are not supported. Remove the tag, or put the value in quotes.']],
  ['a: !!str 1', ['1:4: YAML tags (!name) are not supported. Remove the tag, or put the value in quotes.']],
  ['!!map\na: 1', ['1:1: YAML tags (!name) are not supported. Remove the tag, or put the value in quotes.']],
  ['!!str a: [1]', ['1:1: YAML tags (!name) are not supported. Remove the tag, or put the value in quotes.']],
  ['a: [!!int "1"]', ['1:5: YAML tags (!name) are not supported. Remove the tag, or put the value in quotes.']],
  [
    'a: !<tag:yaml.org,2002:seq> []',
    ['1:4: YAML tags (!name) are not supported. Remove the tag, or put the value in quotes.'],
  ],
  [
    '%TAG !e! tag:yaml.org,2002:\n---\na: !e!str 1',
    ['3:4: YAML tags (!name) are not supported. Remove the tag, or put the value in quotes.'],
  ],
  ['%YAML 1.1\n---\na: yes', ['1:1: The file is read as YAML 1.2. Remove the %YAML directive.']],
  [
    'a: &x 1\nb: *x\nc: *x',
    [
      '2:4: YAML aliases (*name) are not supported. Repeat the value.',
      '3:4: YAML aliases (*name) are not supported. Repeat the value.',
    ],
  ],
  ['<<: {a: 1}', ['1:1: YAML merge keys (<<) are not supported. Repeat the fields.']],
  [
    'a: 1\nb: 2\na: 3\nb: 4',
    [
      '3:1: The field is already set on line 1. Remove one of them.',
      '4:1: The field is already set on line 2. Remove one of them.',
    ],
  ],
  ['a: @x', ['1:4: Text cannot start with this character. Put the value in quotes.']],
  ['- a\nb', ['2:1: The text continues where a value has ended. Check the indentation, quotes and brackets.']],
  ['a: "\\q"', ['1:5: The quoted text has an invalid escape sequence. Use single quotes, or double the backslash.']],
  [
    'a: b: c',
    ['1:4: A second field is on the same line, or the next line is indented too far. Check the indentation.'],
  ],
  ['%FOO\n---\na: 1', ['1:1: YAML directives (%NAME) are not supported. Remove the line.']],
];

export const STRUCTURE: readonly Row[] = [
  ['[]', ['1:1: The file must be an object with upstreams. Write upstreams: on the first line.']],
  ['upstreams:', ['1:11: upstreams: has no value. Set one, or remove the field.']],
  ['upstreams: []', ['1:12: upstreams: is empty. Add an entry.']],
  [
    'upstreams: {}\nroute: []',
    [
      '1:12: upstreams: must be a list of 1 to 64 upstreams. Write - before each.',
      '2:1: route: is an unknown field. Did you mean routes?',
    ],
  ],
  [
    'upstreams: [5, []]',
    [
      '1:13: upstreams[0]: must be an object with fields such as name or base_url. Indent them below the name.',
      '1:16: upstreams[1]: must be an object with fields such as name or base_url. Indent them below the name.',
    ],
  ],
  [
    'upstreams: [{}]',
    ['1:13: upstreams[0].name: is missing. Add it.', '1:13: upstreams[0].base_url: is missing. Add it.'],
  ],
  [
    'upstreams: [{name: A, base_url: 5}]',
    [`1:20: upstreams[0].name: ${NAME_PROBLEM}`, `1:33: upstreams[0].base_url: ${URL_PROBLEM}`],
  ],
];

/** Fields of one upstream, in the fourth line. */
export const FIELDS: readonly Row[] = [
  ['bas_url: x', ['4:5: upstreams[0].bas_url: is an unknown field. Did you mean base_url?']],
  ['Timeout: 1', ['4:5: upstreams[0].Timeout: is an unknown field. Did you mean timeouts?']],
  [
    'sk-12345: x',
    [
      '4:5: upstreams[0][…]: is an unknown field. Remove it, or use one of: name, base_url, apis, completions, credential, headers, query, proxy, tls, timeouts, connections, models, aliases, region, tags, repeat_sent, failover_statuses.',
    ],
  ],
  [
    'apis: openai',
    ['4:11: upstreams[0].apis: must be a list with openai, anthropic, or both. Write for example [openai].'],
  ],
  ['apis: []', ['4:11: upstreams[0].apis: is empty. Add an entry.']],
  ['apis: [openai, openai]', ['4:20: upstreams[0].apis[1]: is listed twice. Remove one of them.']],
  ['apis: [claude]', ['4:12: upstreams[0].apis[0]: must be openai or anthropic. Use one of them.']],
  ['completions: chat', ['4:18: upstreams[0].completions: must be native or emulated. Use one of them.']],
  ['credential: sk-secret', [`4:17: upstreams[0].credential: ${CREDENTIAL_PROBLEM}`]],
  ['credential: {env: A, file: b}', [`4:17: upstreams[0].credential: ${CREDENTIAL_PROBLEM}`]],
  [
    'credential: {header: cookie}',
    [
      `4:17: upstreams[0].credential: ${CREDENTIAL_PROBLEM}`,
      '4:26: upstreams[0].credential.header: must be authorization, x-api-key, or api-key. Use one of them.',
    ],
  ],
  [
    'credential: {env: $KEY}',
    [
      '4:23: upstreams[0].credential.env: must be the name of an environment variable. Write the name only, without $ and without the secret.',
    ],
  ],
  [
    'credential: {env: MISSING}',
    ['4:23: upstreams[0].credential.env: names MISSING, which is unset or empty. Set it, or correct the name.'],
  ],
  [
    'credential: {env: EMPTY}',
    ['4:23: upstreams[0].credential.env: names EMPTY, which is unset or empty. Set it, or correct the name.'],
  ],
  [
    'credential: {env: sekret}',
    ['4:23: upstreams[0].credential.env: names a variable, which is unset or empty. Set it, or correct the name.'],
  ],
  [
    'credential: {env: SHORT}',
    [
      '4:17: upstreams[0].credential: is a secret of fewer than 8 characters, which production does not accept. Use a longer one.',
    ],
  ],
  [
    'credential: {env: SPACES}',
    [
      '4:17: upstreams[0].credential: has a secret with characters that are not allowed. Use printable ASCII without spaces.',
    ],
  ],
  [
    'credential: {file: missing}',
    [
      '4:24: upstreams[0].credential.file: names a file that cannot be read (ENOENT). Use the path of a readable file of at most 65536 bytes.',
    ],
  ],
  [
    'credential: {file: /run/empty}',
    ['4:24: upstreams[0].credential.file: names a file that is empty. Write the secret to it.'],
  ],
  [
    'credential: {file: /run/large}',
    [
      '4:24: upstreams[0].credential.file: names a file that has 70000 bytes. Use the path of a readable file of at most 65536 bytes.',
    ],
  ],
  [
    'headers: [a]',
    [
      '4:14: upstreams[0].headers: must be an object of at most 50 header names and values. Write Name: value below it.',
    ],
  ],
  [
    'headers: {Authorization: x, API-Key: x}',
    [
      '4:15: upstreams[0].headers.Authorization: is a header for secrets. Use credential.',
      '4:33: upstreams[0].headers.API-Key: is a header for secrets. Use credential.',
    ],
  ],
  [
    'headers: {Host: x, traceparent: x, Accept-Encoding: x, content-length: y}',
    [
      '4:15: upstreams[0].headers.Host: is a header that the gateway sets for each request. Remove it.',
      '4:24: upstreams[0].headers.traceparent: is a header that the gateway sets for each request. Remove it.',
      '4:40: upstreams[0].headers.Accept-Encoding: is a header that the gateway sets for each request. Remove it.',
      '4:60: upstreams[0].headers.content-length: is a header that the gateway sets for each request. Remove it.',
    ],
  ],
  ['headers: {x a: b}', ['4:15: upstreams[0].headers["x a"]: is not a header name. Use letters, digits and hyphens.']],
  ['headers: {x-a: 5}', [`4:20: upstreams[0].headers.x-a: ${HEADER_PROBLEM}`]],
  ['headers: {x-a: "a\\nb"}', [`4:20: upstreams[0].headers.x-a: ${HEADER_PROBLEM}`]],
  [
    'headers: {x-a: {envv: b}}',
    [
      `4:20: upstreams[0].headers.x-a: ${HEADER_PROBLEM}`,
      '4:21: upstreams[0].headers.x-a.envv: is an unknown field. Did you mean env?',
    ],
  ],
  [
    'headers: {x-a: {env: LINES}}',
    ['4:20: upstreams[0].headers.x-a: has a secret with characters that headers cannot contain. Remove line breaks.'],
  ],
  [
    'headers: {x-a: b, X-A: c}',
    ['4:23: upstreams[0].headers.X-A: is the same header as another one in different letter case. Remove one of them.'],
  ],
  ['query: {a: 5}', ['4:16: upstreams[0].query.a: must be text on one line. Put numbers and dates in quotes.']],
  ['query: {"": x}', ['4:13: upstreams[0].query[""]: is not a parameter name. Use text on one line.']],
  ['proxy: socks5://user:sekret@proxy', [`4:12: upstreams[0].proxy: ${PROXY_PROBLEM}`]],
  ['proxy: http://proxy/path', [`4:12: upstreams[0].proxy: ${PROXY_PROBLEM}`]],
  [
    'proxy: http://u:sek@proxy',
    [
      '4:12: upstreams[0].proxy: is a secret of fewer than 8 characters, which production does not accept. Use a longer one.',
    ],
  ],
  ['tls: {}\n    timeout: 1', ['5:5: upstreams[0].timeout: is an unknown field. Did you mean timeouts?']],
  ['tls: {key: /k}', ['4:10: upstreams[0].tls.certificate: is missing. Add it.']],
  [
    'timeouts: {connect_ms: 0, head_ms: 10s, idle_ms: 1.5}',
    [
      '4:28: upstreams[0].timeouts.connect_ms: must be a whole number from 1 to 3600000. Write it without quotes and units.',
      '4:40: upstreams[0].timeouts.head_ms: must be a whole number from 1 to 86400000. Write it without quotes and units.',
      '4:54: upstreams[0].timeouts.idle_ms: must be a whole number from 1 to 86400000. Write it without quotes and units.',
    ],
  ],
  [
    'connections: "5"',
    ['4:18: upstreams[0].connections: must be a whole number from 1 to 100000. Write it without quotes and units.'],
  ],
  [
    'models: all',
    ['4:13: upstreams[0].models: must be catalog, or a list of at most 1000 model IDs. Write - before each ID.'],
  ],
  [
    'models: [a, 5, a]',
    [
      '4:17: upstreams[0].models[1]: must be text of 1 to 200 characters on one line. Put numbers in quotes.',
      '4:20: upstreams[0].models[2]: is listed twice. Remove one of them.',
    ],
  ],
  ['models: []', ['4:13: upstreams[0].models: is empty, and there are no aliases. Add a model or an alias.']],
  [
    'models: {a: b}',
    ['4:13: upstreams[0].models: must be catalog, or a list of at most 1000 model IDs. Write - before each ID.'],
  ],
  [
    'aliases: {a: a, b: c, c: d}',
    [
      '4:18: upstreams[0].aliases.a: points to itself. Remove it, or use the ID of another model.',
      '4:24: upstreams[0].aliases.b: points to another alias of this upstream. Use the ID of the model.',
    ],
  ],
  [
    'aliases: {a: ""}',
    ['4:18: upstreams[0].aliases.a: must be text of 1 to 200 characters on one line. Put numbers in quotes.'],
  ],
  ['region: ""', ['4:13: upstreams[0].region: must be text of 1 to 64 characters on one line. Put numbers in quotes.']],
  ['tags: [1]', ['4:12: upstreams[0].tags[0]: must be text of 1 to 64 characters on one line. Put numbers in quotes.']],
  ['repeat_sent: yes', ['4:18: upstreams[0].repeat_sent: must be true or false. Write it without quotes.']],
  ['repeat_sent: null', ['4:18: upstreams[0].repeat_sent: has no value. Set one, or remove the field.']],
  ['base_url: x', ['4:5: The field is already set on line 3. Remove one of them.']],
];

export const URLS: readonly string[] = [
  'ftp://a.example',
  'https://user:sekret@a.example',
  'https://a.example?key=sekret',
  'https://a.example/#x',
  'https://a.example:99999',
  'a.example',
  'https://',
];

export const NAMES: readonly Row[] = [
  ['default', ['2:11: upstreams[0].name: is reserved for metrics of a gateway with one account. Choose another name.']],
  [
    'messages',
    ['2:11: upstreams[0].name: is reserved for metrics of a gateway with one account. Choose another name.'],
  ],
  ['-a', [`2:11: upstreams[0].name: ${NAME_PROBLEM}`]],
  ['a_b', [`2:11: upstreams[0].name: ${NAME_PROBLEM}`]],
  ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', [`2:11: upstreams[0].name: ${NAME_PROBLEM}`]],
  ['5', [`2:11: upstreams[0].name: ${NAME_PROBLEM}`]],
];

/** One route, in the seventh line. */
export const ROUTES: readonly Row[] = [
  [
    '{models: m2, upstreams: [a]}',
    [
      '7:14: routes[0].models: is a model that no upstream of this route has. Add it to models or aliases of one of them, or correct the route.',
    ],
  ],
  [
    '{models: m, upstreams: [b]}',
    ['7:29: routes[0].upstreams[0]: names b, which is not an upstream. Use the name of an upstream in this file.'],
  ],
  [
    '{models: m, upstreams: [opnai]}',
    ['7:29: routes[0].upstreams[0]: names opnai, which is not an upstream. Did you mean openai?'],
  ],
  ['{models: m, upstreams: [a, a]}', ['7:32: routes[0].upstreams[1]: is listed twice. Remove one of them.']],
  [
    '{models: m, upstreams: [a, {name: a, weight: 1}]}',
    [
      '7:28: routes[0].upstreams: has weights for only some upstreams. Set all weights, or none.',
      '7:32: routes[0].upstreams[1]: is listed twice. Remove one of them.',
    ],
  ],
  ['{models: m, upstreams: []}', ['7:28: routes[0].upstreams: is empty. Add an entry.']],
  ['{models: m}', ['7:5: routes[0].upstreams: is missing. Add it.']],
  [
    '{models: m, upstreams: [{name: a, wieght: 1}]}',
    ['7:39: routes[0].upstreams[0].wieght: is an unknown field. Did you mean weight?'],
  ],
  [
    '{models: m, upstreams: [{name: a, weight: 0}]}',
    ['7:47: routes[0].upstreams[0].weight: must be a whole number from 1 to 1000. Write it without quotes and units.'],
  ],
  ['{models: m, upstreams: [5]}', [`7:29: routes[0].upstreams[0]: ${FIELD_PROBLEM}`]],
  ['{models: m, upstreams: [{weight: 1}]}', ['7:29: routes[0].upstreams[0].name: is missing. Add it.']],
  [
    '{models: "*", upstreams: [a], strategy: weight}',
    ['7:45: routes[0].strategy: is weight, but no upstream has a weight. Set all weights, or remove it.'],
  ],
  [
    '{models: "*", upstreams: [{name: a, weight: 1}], strategy: latency}',
    ['7:64: routes[0].strategy: is latency, which ignores the weights. Remove the weights, or use weight.'],
  ],
  [
    '{models: "*", upstreams: [a], strategy: price, sticky: key}',
    ['7:60: routes[0].sticky: cannot be combined with the strategy price. Remove one of them.'],
  ],
  [
    '{models: "*", upstreams: [a], fallbacks: {context: m}}',
    [
      '7:47: routes[0].fallbacks.context: is an unknown field. Remove it, or use one of: context_length, content_filter.',
    ],
  ],
  [
    '{models: m, upstreams: [a], fallbacks: {content_filter: m}}',
    ['7:61: routes[0].fallbacks.content_filter: is the model of the route. Use another model.'],
  ],
  [
    '{models: "*", upstreams: [a], strategy: cheapest}',
    ['7:45: routes[0].strategy: must be order, weight, latency, or price. Use one of them.'],
  ],
  [
    '{models: "*", upstreams: [a], sticky: user}',
    ['7:43: routes[0].sticky: must be none, key, or conversation. Use one of them.'],
  ],
  [
    '{models: m, upstreams: [a]}\n  - {models: m, upstreams: [a]}',
    ['8:14: routes[1].models: is the same as in routes[0], so this route is never used. Remove one of them.'],
  ],
  ['5', ['7:5: routes[0]: must be an object with fields such as models or upstreams. Indent them below the name.']],
];
