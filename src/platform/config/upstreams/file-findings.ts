import { createHash } from 'node:crypto';
import { SECRET_LENGTH_MIN } from '../secret-texts.rules.js';
import type { FileProblem } from './schema-problems.rules.js';
import { FileUnusable, resolved, type UpstreamsSources } from './file-access.js';
import type { Path } from './yaml-document.rules.js';

/** Names the source of a secret. The schema requires exactly one. */
export interface SecretReference {
  readonly env?: string;
  readonly file?: string;
}

const SECRET_BYTES_MAX = 65_536;
const PEM_BYTES_MAX = 1_048_576;
/** A name with other characters might be a secret that was entered instead of a name. */
const USUAL_NAME = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Reads secrets and files for one file of `GW_UPSTREAMS`, and collects its problems. */
export class FileFindings {
  readonly problems: FileProblem[] = [];
  readonly secrets = new Set<string>();
  readonly files = new Set<string>();
  private readonly contents: string[] = [];

  constructor(readonly sources: UpstreamsSources) {}

  report(at: Path, text: string, part: FileProblem['part'] = 'value'): void {
    this.problems.push({ at, part, text });
  }

  /** Marks the current end of the contents, for the digest of a part of the file. */
  get mark(): number {
    return this.contents.length;
  }

  digest(text: string, since = 0): string {
    return createHash('sha256')
      .update(JSON.stringify([text, ...this.contents.slice(since)]))
      .digest('hex');
  }

  /** Returns null after a problem. */
  secret(at: Path, { env, file }: SecretReference): string | null {
    const value = env === undefined ? this.secretFile([...at, 'file'], file!) : this.variable([...at, 'env'], env);
    if (value === null) return null;
    this.contents.push(value);
    this.addSecret(at, value);
    return value;
  }

  addSecret(at: Path, value: string): void {
    this.secrets.add(value);
    if (this.sources.production && value.length < SECRET_LENGTH_MIN)
      this.report(
        at,
        `is a secret of fewer than ${SECRET_LENGTH_MIN} characters, which production does not accept. Use a longer one.`,
      );
  }

  /** Returns the content of a certificate or key, or null after a problem. @param allowed completes "Use …" */
  pem(at: Path, path: string, allowed: string): Buffer | null {
    const content = this.read(at, path, PEM_BYTES_MAX, `Use ${allowed}.`);
    if (content !== null) this.contents.push(content.toString('latin1'));
    return content;
  }

  private variable(at: Path, name: string): string | null {
    const value = this.sources.env[name] ?? '';
    if (value !== '') return value;
    this.report(
      at,
      `names ${USUAL_NAME.test(name) ? name : 'a variable'}, which is unset or empty. Set it, or correct the name.`,
    );
    return null;
  }

  private secretFile(at: Path, path: string): string | null {
    const remedy = `Use the path of a readable file of at most ${SECRET_BYTES_MAX} bytes.`;
    const text = this.read(at, path, SECRET_BYTES_MAX, remedy)
      ?.toString()
      .replace(/\r?\n$/, '');
    if (text === undefined) return null;
    if (text !== '') return text;
    this.report(at, 'names a file that is empty. Write the secret to it.');
    return null;
  }

  private read(at: Path, path: string, bytesMax: number, remedy: string): Buffer | null {
    const absolute = resolved(path, this.sources);
    this.files.add(absolute);
    try {
      return this.sources.readFile(absolute, bytesMax);
    } catch (error) {
      if (!(error instanceof FileUnusable)) throw error;
      this.contents.push(error.message);
      this.report(at, `names a file that ${error.message}. ${remedy}`);
      return null;
    }
  }
}
