import { describe, expect, test } from '@jest/globals';
import { CompletionRequest } from '../../../src/proxy/completions/completion.dto.js';
import { emulationRules } from '../../../src/proxy/completions/emulation.rules.js';
import { compileRules, firstOf } from '../../../src/platform/validation/body-rules.js';
import { booleans, integers, needed, numbers, passes, rejected, type Row } from '../../support/field-rows.js';

const rules = compileRules(CompletionRequest);
const BASE = { model: 'gpt-4o', prompt: 'Say hi' };
const violationOf = (patch: object) => {
  const body = Object.fromEntries(Object.entries({ ...BASE, ...patch }).filter(([, value]) => value !== undefined));
  const violation = rules(body);
  return violation === null ? null : `${violation.code} ${violation.param}`;
};

const streamed = (stream_options: unknown) => ({ stream: true, stream_options });

/** In the order of the specification, which is the order of validation. */
const TABLE: Readonly<Record<string, readonly Row[]>> = {
  model: [
    ...passes('model', ['m', '', 'm'.repeat(200)]),
    ...rejected('invalid_value', 'model', ['m'.repeat(201)]),
    ...needed('model', [5, true, ['m'], {}]),
  ],
  prompt: [
    ...passes('prompt', [undefined, null, '', 'x', [], ['a', '', 'b']]),
    ...rejected('invalid_type', 'prompt', [7, true, { a: 1 }]),
    ...rejected('invalid_type', 'prompt[0]', [[1, 2], [[1], [2]], [null]], (prompt) => ({ prompt })),
    ...rejected('invalid_type', 'prompt[1]', [['a', 3]], (prompt) => ({ prompt })),
  ],
  max_tokens: integers('max_tokens', { min: 1 }),
  temperature: numbers('temperature', { min: 0, max: 2 }),
  top_p: numbers('top_p', { min: 0, max: 1 }),
  n: integers('n', { min: 1 }),
  echo: booleans('echo'),
  stop: [
    ...passes('stop', [null, '', '\n', [], ['a', 'b', 'c', 'd']]),
    ...rejected('invalid_value', 'stop', [['a', 'b', 'c', 'd', 'e']]),
    ...rejected('invalid_type', 'stop', [1, true, {}]),
    ...rejected('invalid_type', 'stop[1]', [['a', 2]], (stop) => ({ stop })),
  ],
  presence_penalty: numbers('presence_penalty', { min: -2, max: 2 }),
  frequency_penalty: numbers('frequency_penalty', { min: -2, max: 2 }),
  user: [
    ...passes('user', [null, '', 'u'.repeat(256), '🌍'.repeat(256)]),
    ...rejected('invalid_value', 'user', ['u'.repeat(257)]),
    ...rejected('invalid_type', 'user', [1, {}]),
  ],
  seed: integers('seed', {}),
  stream: booleans('stream'),
  stream_options: [
    ...passes('stream_options', [null, {}, { include_usage: true }, { include_usage: null }], streamed),
    ...passes('stream_options', [null]),
    ...rejected('invalid_value', 'stream_options', [{}, { include_usage: true }]),
    ...rejected('invalid_type', 'stream_options', ['x', 1, []], streamed),
    ...rejected('invalid_type', 'stream_options.include_usage', [1, 'true'], (include_usage) =>
      streamed({ include_usage }),
    ),
  ],
  best_of: [...passes('best_of', [null]), ...rejected('unsupported_parameter', 'best_of', [0, 1, 2, 'x', [], false])],
  logprobs: [...passes('logprobs', [null]), ...rejected('unsupported_parameter', 'logprobs', [0, 5, true, 'x'])],
};

describe('fields of a completions request', () => {
  test.each(Object.keys(TABLE))('accepts valid values of %s and rejects invalid ones', (field) => {
    const rows = TABLE[field]!;
    expect(rows.map(({ patch }) => [patch, violationOf(patch)])).toEqual(rows.map((row) => [row.patch, row.violation]));
  });

  test('reports the first violation in the order of the table, regardless of the order in the body', () => {
    const body: Record<string, unknown> = Object.fromEntries(
      Object.keys(TABLE)
        .reverse()
        .map((field) => [field, /^stream_o/.test(field) ? 7 : { x: 7 }]),
    );
    const order: string[] = [];
    for (let violation = rules(body); violation !== null && order.length < 99; violation = rules(body)) {
      const field = violation.param!.split(/[.[]/)[0]!;
      order.push(field);
      if (field === 'model') body[field] = 'm';
      else delete body[field];
    }
    expect(order).toEqual(Object.keys(TABLE));
  });

  test('accepts unknown fields', () => {
    expect(violationOf({ suffix: 's', x_unknown: { deep: [null] }, reasoning_effort: 7, messages: 7 })).toBeNull();
  });
});

describe('emulated completions', () => {
  const RULES = emulationRules({ isCurrentProfile: false, validation: 'strict' });
  const MIB = 'x'.repeat(1024 * 1024);
  const emulated = (patch: Partial<CompletionRequest>) => {
    const violation = firstOf(RULES, { ...BASE, ...patch }, { lenient: false });
    return violation === null ? null : `${violation.code} ${violation.param}`;
  };

  test('limits the echoed prompts of all choices together to 64 MiB', () => {
    expect(emulated({ prompt: MIB, echo: true, n: 64 })).toBeNull();
    expect(emulated({ prompt: MIB, echo: true, n: 65 })).toBe('invalid_value n');
    expect(emulated({ prompt: [MIB, MIB], echo: true, n: 32 })).toBe('invalid_value n');
    const most = MIB.repeat(64);
    const tooLong = `${most}x`;
    // Two choices would exceed the limit.
    const half = MIB.repeat(32) + 'x';
    for (const n of [undefined, null, 1]) {
      expect(emulated({ prompt: half, echo: true, n })).toBeNull();
      expect(emulated({ prompt: tooLong, echo: true, n })).toBe('invalid_value n');
      expect(emulated({ prompt: tooLong, n })).toBeNull();
    }
    expect(emulated({ prompt: most, echo: true })).toBeNull();
    expect(emulated({ prompt: null, echo: true, n: 4096 })).toBeNull();
    // The JSON encoding counts. It writes a control character with six bytes.
    expect(emulated({ prompt: '\u0001'.repeat(1024), echo: true, n: 10_922 })).toBeNull();
    expect(emulated({ prompt: '\u0001'.repeat(1024), echo: true, n: 10_923 })).toBe('invalid_value n');
  });

  test('restricts the temperature of older reasoning models as for chat', () => {
    expect(emulated({ model: 'o1', temperature: 0.5 })).toBe('unsupported_value temperature');
    expect(emulated({ model: 'o1', temperature: 1 })).toBeNull();
  });
});
