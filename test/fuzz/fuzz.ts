import { inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import { ERROR_CODES } from '../../src/platform/errors/error-code.data.js';
import { GatewayError } from '../../src/platform/errors/gateway-error.js';
import { Dice } from './dice.js';

const whole = (text: string | undefined, byDefault: number): number =>
  text === undefined || text === '' ? byDefault : Number(text);

/** Determines all inputs. Failure messages contain it. */
export const SEED = whole(process.env.FUZZ_SEED, 1);
/**
 * `.ci/run` uses more cases. Each target runs a share of them, and the shares exceed 1 in total. About 95% of the cases call functions
 * directly. A case over HTTP costs about 50 times as much.
 */
export const CASES = whole(process.env.FUZZ_CASES, 60_000);

/** CPU time. A slower input would block all other requests. */
const CASE_US_MAX = 5_000_000;
const CHECK_PROTOTYPES_EVERY = 1_000;

interface Target<T> {
  /** The guarantee, which is the title of the test. It also seeds the inputs, so a new title means new cases. */
  readonly holds: string;
  readonly share: number;
  make(dice: Dice): T;
  /** @throws if the guarantee does not hold */
  check(input: T): void | Promise<void>;
}

export function fuzz<T>({ holds, share, make, check }: Target<T>): void {
  const cases = Math.ceil(CASES * share);
  test(`${holds} (${cases} cases)`, async () => {
    const prototypes = new Prototypes();
    const salt = [...holds].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0, 0);
    for (let at = 0; at < cases; at++) {
      const input = make(new Dice(SEED, salt, at));
      const before = process.threadCpuUsage();
      try {
        const checked = check(input);
        if (checked !== undefined) await checked;
        const { user, system } = process.threadCpuUsage(before);
        if (user + system > CASE_US_MAX) throw new Error(`took ${user + system} µs of CPU time`);
      } catch (error) {
        throw new Error(`FUZZ_SEED=${SEED}, case ${at}: ${shown(input)}: ${String(error)}`, { cause: error });
      }
      if (at % CHECK_PROTOTYPES_EVERY === 0) prototypes.mustBeUntouched();
    }
    prototypes.mustBeUntouched();
  }, 600_000);
}

/** The property names of built-in prototypes, which no input can change. */
export class Prototypes {
  private readonly before = this.look();

  mustBeUntouched(): void {
    expect(this.look()).toEqual(this.before);
  }

  private look(): string[] {
    const inherited = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Buffer.prototype];
    return inherited.flatMap((prototype) => Reflect.ownKeys(prototype).map(String));
  }
}

export function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

/** Expects a `GatewayError` with a code of the catalog, a status up to `statusMax`, and a valid JSON envelope. */
export function mustBeRefusal(thrown: unknown, statusMax = 499): asserts thrown is GatewayError {
  // Inspected only on failure, because the stack of an error costs more than a case.
  if (!(thrown instanceof GatewayError)) throw new Error(`is not a GatewayError: ${inspect(thrown)}`);
  must(
    thrown.code in ERROR_CODES && thrown.status >= 400 && thrown.status <= statusMax,
    `${thrown.code} is unexpected here`,
  );
  must(thrown.message.length > 0 && thrown.message.length < 2_000, `a message of ${thrown.message.length} characters`);
  const { error } = JSON.parse(thrown.envelope('id')) as { error: Record<string, unknown> };
  must(error['code'] === thrown.code && error['request_id'] === 'id', 'unexpected envelope');
}

/** Returns the result of `read`, or null if it throws a valid `GatewayError`. Any other error fails the case. */
export function readOrRefused<T>(read: () => T, statusMax?: number): T | null {
  try {
    return read();
  } catch (thrown) {
    mustBeRefusal(thrown, statusMax);
    return null;
  }
}

/** Formats an input for pasting into a test. Bytes that are not printable ASCII are in base64. */
function shown(input: unknown): string {
  if (Buffer.isBuffer(input)) {
    const text = input.toString('latin1');
    return /^[\x20-\x7e]*$/.test(text) ? JSON.stringify(text) : `base64 ${input.toString('base64').slice(0, 4_000)}`;
  }
  return inspect(input, { depth: 12, maxStringLength: 2_000, breakLength: Infinity }).slice(0, 4_000);
}
