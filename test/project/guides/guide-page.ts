import { readFileSync } from 'node:fs';

/** A request of a page, as its `curl` command sends it. */
export interface PageRequest {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A page of `docs/upstreams`. */
export class GuidePage {
  /** The complete files of the page, as text. */
  readonly files: readonly string[];
  readonly text: string;

  constructor(readonly name: string) {
    this.text = readFileSync(`docs/upstreams/${name}.md`, 'utf8');
    this.files = this.blocks('yaml');
  }

  blocks(language: string): readonly string[] {
    const pattern = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms');
    return Array.from(this.text.matchAll(pattern), ([, block = '']) => block);
  }

  /** @throws if the page has no single `curl` command with a JSON body */
  get request(): PageRequest {
    const commands = [...this.text.matchAll(/^curl https:\/\/gateway\.example(\S+) \\\n(?: .*\\\n)* +-d '(.*)'$/gm)];
    if (commands.length !== 1) throw new Error(`${this.name} has ${commands.length} curl commands`);
    const [, path = '', body = ''] = commands[0]!;
    return { path, body: JSON.parse(body) as PageRequest['body'] };
  }

  /** The names of upstreams in the commands of the page: `npm run cli -- upstream test NAME`. */
  get testedUpstreams(): readonly string[] {
    return Array.from(this.text.matchAll(/^npm run cli -- upstream test (\S+)$/gm), ([, name = '']) => name);
  }
}

/** The environment variables that a file names. */
export const variablesIn = (file: string): readonly string[] =>
  Array.from(file.matchAll(/\benv: (\w+)/g), ([, name = '']) => name);

/** The absolute paths of secrets that a file names. */
export const secretFilesIn = (file: string): readonly string[] =>
  Array.from(file.matchAll(/\bfile: (\/[^\s,}]+)/g), ([, path = '']) => path);

export const secretOf = (source: string): string => `secret-of-${source.replaceAll(/\W/g, '-')}`;
