import { createHash } from 'node:crypto';

const YEAR_2025 = 1_735_689_600;
const YEAR_SECONDS = 31_536_000;

/** What stands for a request: equal requests have equal ones. */
export class Fingerprint {
  constructor(private readonly hex: string) {}

  /** An id of the vendor's form, e.g. `id('chatcmpl-', 29)`; `salt` tells several ids of one answer apart. */
  id(prefix: string, length: number, salt = ''): string {
    const hex = salt === '' ? this.hex : createHash('sha256').update(this.hex).update(salt).digest('hex');

    return prefix + hex.slice(0, length);
  }

  /** Unix seconds, somewhere in 2025. */
  get created(): number {
    return YEAR_2025 + (Number.parseInt(this.hex.slice(-8), 16) % YEAR_SECONDS);
  }
}

/** Of method, path with query, and body. Headers are left out: the caller's key does not change the answer. */
export function fingerprintOf(method: string, target: string, body: Buffer): Fingerprint {
  return new Fingerprint(createHash('sha256').update(`${method} ${target}\n`).update(body).digest('hex'));
}
