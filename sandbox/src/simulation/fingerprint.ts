import { createHash } from 'node:crypto';

const YEAR_2025 = 1_735_689_600;
const YEAR_SECONDS = 31_536_000;

/** A hash of a request, from which IDs and times are derived. Equal requests get equal fingerprints. */
export class Fingerprint {
  constructor(private readonly hex: string) {}

  /** Returns an ID such as `id('chatcmpl-', 29)`. Each `salt` results in another ID for the same response. */
  id(prefix: string, length: number, salt = ''): string {
    const hex = salt === '' ? this.hex : createHash('sha256').update(this.hex).update(salt).digest('hex');

    return prefix + hex.slice(0, length);
  }

  get created(): number {
    return YEAR_2025 + (Number.parseInt(this.hex.slice(-8), 16) % YEAR_SECONDS);
  }
}

/** Hashes the method, target and body. Headers are excluded, so the caller's API key does not change the response. */
export function fingerprintOf(method: string, target: string, body: Buffer): Fingerprint {
  return new Fingerprint(createHash('sha256').update(`${method} ${target}\n`).update(body).digest('hex'));
}
