import { randomBytes } from 'node:crypto';

/** Shorter pieces could stand somewhere by chance. */
const HALVED_FROM = 24;

/** Values of which nothing must be seen where they do not belong, by the names that a failure tells. */
export class Canaries {
  private readonly formsOf = new Map<string, ReadonlySet<string>>();

  /**
   * From now on the value is looked for.
   * @param value 30 random characters where nothing else is asked for; bytes where it is a secret's decoded form
   */
  plant<T extends string | Buffer = string>(name: string, value: T = randomText() as T): T {
    if (this.formsOf.has(name)) throw new Error(`${name} is planted already`);
    this.formsOf.set(name, formsOf(value));
    return value;
  }

  get names(): string[] {
    return [...this.formsOf.keys()];
  }

  /** Names of those that stand in the text: plain, escaped or encoded, whole or half, in any case. */
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

/** A redaction that takes out a part only has not done its work. */
const halvesOf = (text: string): string[] => {
  const middle = text.length >> 1;
  return [text.slice(0, middle), text.slice(middle)];
};

/**
 * How the bytes read inside the base64 of a longer text, `offset` bytes behind a multiple of three: without the characters
 * that hold bits of a neighbour.
 */
function base64At(bytes: Buffer, offset: number): string[] {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes]);
  const [from, to] = [Math.ceil((offset * 8) / 6), Math.floor((whole.length * 8) / 6)];
  return [whole.toString('base64').slice(from, to), whole.toString('base64url').slice(from, to)];
}
