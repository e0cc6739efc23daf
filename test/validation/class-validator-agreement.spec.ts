import { describe, expect, test } from 'vitest';
import { validate } from 'class-validator';
import fc from 'fast-check';
import { ChatCompletionRequest } from '../../src/proxy/chat/chat-completion.request.dto.js';
import { compileRules } from '../../src/validation/compile-rules.js';
import { chatBodies } from '../support/chat-bodies.js';

const compiled = compileRules(ChatCompletionRequest, { unknownFields: 'pass', nullIsAbsent: true });
const refusing = compileRules(ChatCompletionRequest, { unknownFields: 'refuse', nullIsAbsent: true });

/** An instance with the members of `body`, as class-transformer would make it, prototype names included. */
function instanceOf(body: object): ChatCompletionRequest {
  const instance = new ChatCompletionRequest();
  for (const [name, value] of Object.entries(body))
    Object.defineProperty(instance, name, { value, enumerable: true, configurable: true, writable: true });
  return instance;
}

// A member `constructor` hides the class from class-validator, which finds its metadata by `object.constructor`.
const bodies = chatBodies.filter((body) => !Object.hasOwn(body, 'constructor'));

describe("the compiled rules and class-validator's own validate() say the same of every body", () => {
  test('passes or not, and on which field', async () => {
    let passed = 0;
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const errors = await validate(instanceOf(body));
        const violation = compiled(body);
        expect(violation === null).toBe(errors.length === 0);
        if (violation === null) return void passed++;
        const messages = errors.flatMap(({ constraints = {} }) => Object.values(constraints));
        expect(messages).toContain(violation.message);
      }),
      { numRuns: 400 },
    );
    expect(passed).toBeGreaterThan(20);
  });

  test('unknown members refused', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const errors = await validate(instanceOf(body), { whitelist: true, forbidNonWhitelisted: true });
        expect(refusing(body) === null).toBe(errors.length === 0);
      }),
      { numRuns: 400 },
    );
  });
});
