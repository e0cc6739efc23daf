import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ResponseRequest } from '../../../src/proxy/responses/response.dto.js';
import { compileRules } from '../../../src/platform/validation/body-rules.js';
import { BASE, OTHER_TOOLS, RESPONSE_TABLE } from './response-table.data.js';

const strict = compileRules(ResponseRequest);
const anyTool = compileRules(ResponseRequest, { anyTool: true });
const lenient = compileRules(ResponseRequest, { lenient: true });
const violationOf = (patch: object, rules = strict) => {
  const body = Object.fromEntries(Object.entries({ ...BASE, ...patch }).filter(([, value]) => value !== undefined));
  const violation = rules(body);
  return violation === null ? null : `${violation.code} ${violation.param}`;
};

describe('fields of a Responses request', () => {
  test.each(Object.keys(RESPONSE_TABLE))('accepts valid values of %s and rejects invalid ones', (field) => {
    const rows = RESPONSE_TABLE[field] ?? [];
    expect(rows.map(({ patch }) => [patch, violationOf(patch)])).toEqual(rows.map((row) => [row.patch, row.violation]));
  });

  test('reports the first violation in the order of the table, regardless of the order in the body', () => {
    const objects = ['metadata', 'reasoning', 'response_format', 'tool_choice'];
    const wrong = Object.keys(RESPONSE_TABLE)
      .reverse()
      .map((field) => [field, objects.includes(field) ? 7 : { type: 7 }]);
    const body = Object.fromEntries(wrong) as Record<string, unknown>;
    const order: string[] = [];
    for (let violation = strict(body); violation !== null; violation = strict(body)) {
      const field = violation.param ?? '';
      order.push(field);
      if (Object.hasOwn(BASE, field)) body[field] = BASE[field as keyof typeof BASE];
      else delete body[field];
      if (order.length > 99) break;
    }
    expect(order).toEqual(Object.keys(RESPONSE_TABLE));
  });

  test('accepts unknown fields, including names of Object.prototype', () => {
    expect(
      violationOf({ text: { format: { type: 'text' } }, include: [], background: true, constructor: 1 }),
    ).toBeNull();
  });
});

describe('tools of types other than function (D26)', () => {
  const tools = OTHER_TOOLS;
  test.each(OTHER_TOOLS)(
    'accepts a tool of type "$type" only with GW_RESPONSES_TOOLS=any or lenient validation',
    (tool) => {
      for (const patch of [{ tools: [tool] }, { tools, tool_choice: tool }]) {
        expect(violationOf(patch)).toBe('invalid_value tools[0].type');
        expect(violationOf(patch, anyTool)).toBeNull();
        expect(violationOf(patch, lenient)).toBeNull();
      }
    },
  );

  test.each<[object, string]>([
    [{ tools: [] }, 'invalid_value tools'],
    [{ tools: ['web_search'] }, 'invalid_type tools[0]'],
    [{ tools: [{ name: 'f' }] }, 'missing_required_parameter tools[0].type'],
    [{ tools: [{ type: 1 }] }, 'invalid_type tools[0].type'],
    [{ tools: [{ type: 'function' }] }, 'missing_required_parameter tools[0].name'],
    [{ tools: [{ type: 'function', function: { name: 'a b' } }] }, 'invalid_value tools[0].function.name'],
    [{ tool_choice: 'web_search' }, 'invalid_value tool_choice'],
    [{ tool_choice: { type: 'function' } }, 'missing_required_parameter tool_choice.name'],
    [{ reasoning: { effort: 'auto' } }, 'invalid_value reasoning.effort'],
  ])('rejects %j with %s even with GW_RESPONSES_TOOLS=any', (patch, violation) => {
    expect(violationOf(patch, anyTool)).toBe(violation);
    expect(violationOf(patch)).toBe(violation);
  });
});

test('validates a field with any JSON value without throwing', () => {
  const rows = Object.values(RESPONSE_TABLE).flat();
  const patches = fc.tuple(fc.constantFrom(...rows), fc.constantFrom(...Object.keys(RESPONSE_TABLE)), fc.jsonValue());
  fc.assert(
    fc.property(patches, ([{ patch }, field, value]) => {
      expect(String(violationOf({ ...patch, [field]: value }))).toMatch(
        /^(null|(invalid_(type|value)|missing_required_parameter) \w+)/,
      );
    }),
    { numRuns: 1_000 },
  );
});
