import { invalidType, invalidValue, missingParameter } from '../wire/vendor-error.js';
import type { FormPart } from './form-part.js';
import { parseForm } from './parse-form.js';

/** Looks up `name[]` as `name`. */
export class Form {
  private readonly parts: readonly FormPart[];

  constructor(contentType: string | undefined, body: Buffer) {
    this.parts = parseForm(contentType, body);
  }

  text(name: string): string | null {
    return this.texts(name).find((text) => text !== '') ?? null;
  }

  requiredText(name: string): string {
    const text = this.text(name);

    if (text === null) throw missingParameter(name);
    return text;
  }

  texts(name: string): string[] {
    return this.named(name)
      .filter((part) => part.filename === null)
      .map((part) => part.bytes.toString());
  }

  count(name: string, max: number): number | null {
    const text = this.text(name);

    if (text === null) return null;
    if (!/^\d{1,9}$/.test(text)) throw invalidType(name, 'an integer');
    if (Number(text) < 1 || Number(text) > max) throw invalidValue(name, `it must be from 1 to ${max}`);
    return Number(text);
  }

  /** The last field of each name wins. */
  fields(): Record<string, string> {
    const plain = this.parts.filter((part) => part.filename === null);

    return Object.fromEntries(plain.map((part) => [part.name.replace(/\[\]$/, ''), part.bytes.toString()]));
  }

  allFiles(): FormPart[] {
    return this.parts.filter((part) => part.filename !== null);
  }

  files(name: string): FormPart[] {
    return this.named(name).filter((part) => part.filename !== null);
  }

  requiredFile(name: string): FormPart {
    const file = this.files(name)[0];

    if (file === undefined) throw missingParameter(name);
    return file;
  }

  private named(name: string): FormPart[] {
    return this.parts.filter((part) => part.name === name || part.name === `${name}[]`);
  }
}
