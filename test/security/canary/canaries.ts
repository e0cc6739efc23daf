import { randomBytes } from 'node:crypto';

/** Halves of shorter values could occur by chance. */
const HALVED_FROM = 24;

/** Named secret values, and a search for their traces in places where they must not appear. */
export class Canaries {
  private readonly formsOf = new Map<string, ReadonlySet<string>>();

  /**
   * Adds a value to the search.
   *
   * @param value 30 random hexadecimal digits by default; a buffer for the decoded form of a secret
   */
  plant<T extends string | Buffer = string>(name: string, value: T = randomText() as T): T {
    if (this.formsOf.has(name)) throw new Error(`${name} is already planted`);
    this.formsOf.set(name, formsOf(value));
    return value;
  }

  get names(): string[] {
    return [...this.formsOf.keys()];
  }

  /** Returns the names of the values in a text: plain, escaped or encoded, whole or half, in any case. */
  in(text: string): string[] {
    const searched = text.toLowerCase();
    return [...this.formsOf]
      .filter(([, forms]) => [...forms].some((form) => searched.includes(form)))
      .map(([name]) => name)
      .sort();
  }
}

export const randomText = (): string => randomBytes(15).toString('hex');

function formsOf(value: string | Buffer): ReadonlySet<string> {
  const bytes = Buffer.from(value as string);
  const forms = [bytes.toString('hex'), ...[0, 1, 2].flatMap((offset) => base64At(bytes, offset))];
  if (typeof value === 'string') {
    const texts = value.length < HALVED_FROM ? [value] : [value, ...halvesOf(value)];
    forms.push(...texts.flatMap((text) => [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)]));
  }
  return new Set(forms.map((form) => form.toLowerCase()));
}

/** Both halves, because a partial redaction is a failure. */
const halvesOf = (text: string): string[] => {
  const middle = text.length >> 1;
  return [text.slice(0, middle), text.slice(middle)];
};

/**
 * Returns the bytes as they appear inside the base64 of a longer text, at an offset of 0 to 2 bytes. Characters that
 * contain bits of neighboring bytes are cut off.
 */
function base64At(bytes: Buffer, offset: number): string[] {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes]);
  const [from, to] = [Math.ceil((offset * 8) / 6), Math.floor((whole.length * 8) / 6)];
  return [whole.toString('base64').slice(from, to), whole.toString('base64url').slice(from, to)];
}
