import { inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import { ERROR_CODES } from '../../src/errors/error-code.data.js';
import { GatewayError } from '../../src/errors/gateway-error.js';
import { Dice } from './dice.js';

const whole = (text: string | undefined, byDefault: number): number =>
  text === undefined || text === '' ? byDefault : Number(text);

/** The same inputs for the same seed; what fails names it. */
export const SEED = whole(process.env.FUZZ_SEED, 1);
/** `.ci/run` has more. Shares of the targets below HTTP make nine tenths of them; what goes through HTTP costs fifty times as much. */
export const CASES = whole(process.env.FUZZ_CASES, 60_000);

/** No input may cost more, which would hold everybody up; a busy machine is given room. */
const CASE_MS_MAX = 2_000;
const LOOK_AT_PROTOTYPES_EACH = 1_000;

interface Target<T> {
  /** A guarantee: the title of the test. */
  readonly holds: string;
  /** Of all cases. */
  readonly share: number;
  make(dice: Dice): T;
  /** Throws where the guarantee does not hold. */
  check(input: T): void | Promise<void>;
}

/** One test: as many cases as are the target's share. */
export function fuzz<T>({ holds, share, make, check }: Target<T>): void {
  const cases = Math.ceil(CASES * share);
  test(`${holds} (${cases} cases)`, async () => {
    const prototypes = new Prototypes();
    const salt = [...holds].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0, 0);
    for (let at = 0; at < cases; at++) {
      const input = make(new Dice(SEED, salt, at));
      const beganMs = performance.now();
      try {
        const checked = check(input);
        if (checked !== undefined) await checked;
        if (performance.now() - beganMs > CASE_MS_MAX) throw new Error(`took ${performance.now() - beganMs} ms`);
      } catch (error) {
        throw new Error(`FUZZ_SEED=${SEED}, case ${at}: ${shown(input)}: ${String(error)}`, { cause: error });
      }
      if (at % LOOK_AT_PROTOTYPES_EACH === 0) prototypes.mustBeUntouched();
    }
    prototypes.mustBeUntouched();
  }, 600_000);
}

/** What every object of the process inherits from: nothing that comes in may add to it. */
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

/** A refusal as the catalogue knows them: a code, a status below 500, an envelope that is JSON. */
export function mustBeRefusal(thrown: unknown, statusMax = 499): asserts thrown is GatewayError {
  // Inspected only where it is to be shown: an error's stack costs more than the case.
  if (!(thrown instanceof GatewayError)) throw new Error(`is no refusal: ${inspect(thrown)}`);
  must(thrown.code in ERROR_CODES && thrown.status >= 400 && thrown.status <= statusMax, `${thrown.code} is none here`);
  must(thrown.message.length > 0 && thrown.message.length < 2_000, `a message of ${thrown.message.length} characters`);
  const { error } = JSON.parse(thrown.envelope('id')) as { error: Record<string, unknown> };
  must(error['code'] === thrown.code && error['request_id'] === 'id', 'another envelope');
}

/** What `read` returns; a refusal is null, anything else that it throws fails the case. */
export function readOrRefused<T>(read: () => T, statusMax?: number): T | null {
  try {
    return read();
  } catch (thrown) {
    mustBeRefusal(thrown, statusMax);
    return null;
  }
}

/** An input as it can be put into a test: bytes in base64 where they are no plain text. */
function shown(input: unknown): string {
  if (Buffer.isBuffer(input)) {
    const text = input.toString('latin1');
    return /^[\x20-\x7e]*$/.test(text) ? JSON.stringify(text) : `base64 ${input.toString('base64').slice(0, 4_000)}`;
  }
  return inspect(input, { depth: 12, maxStringLength: 2_000, breakLength: Infinity }).slice(0, 4_000);
}
