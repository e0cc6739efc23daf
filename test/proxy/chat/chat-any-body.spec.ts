import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { GatewayError } from '../../../src/platform/errors/gateway-error.js';
import { ChatCompletionRequest } from '../../../src/proxy/chat/chat-completion.dto.js';
import { compileRules } from '../../../src/platform/validation/body-rules.js';
import { CHAT_FIELDS, chatBodies } from '../../support/chat-bodies.js';

const strict = compileRules(ChatCompletionRequest);
const lenient = compileRules(ChatCompletionRequest, { lenient: true });

describe('validation of arbitrary chat bodies', () => {
  test('accepts any chat body or returns a 400 that names the field, and never changes the body', () => {
    let passed = 0;
    fc.assert(
      fc.property(chatBodies, (body) => {
        const before = JSON.stringify(body);
        const violation = strict(body);
        expect(JSON.stringify(body)).toBe(before);
        if (violation === null) return void passed++;
        expect(violation).toBeInstanceOf(GatewayError);
        expect(violation.status).toBe(400);
        expect(CHAT_FIELDS).toContain(violation.param?.split(/[.[]/)[0]);
        expect(violation.message).toContain(violation.param);
      }),
      { numRuns: 1500 },
    );
    expect(passed).toBeGreaterThan(100);
  });

  test('lenient validation accepts every body that strict validation accepts', () => {
    fc.assert(
      fc.property(chatBodies, (body) => strict(body) !== null || lenient(body) === null),
      { numRuns: 1500 },
    );
  });
});
