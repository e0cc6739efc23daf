import { readFileSync, statSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Identifies the state of a file without reading it. A swapped symlink, new content and a touched file all change it. */
export const fileStamp = ({ ino, size, mtimeMs, ctimeMs }: Stats): string => [ino, size, mtimeMs, ctimeMs].join(' ');

/** Everything except its text that a `GW_UPSTREAMS` file depends on. */
export interface UpstreamsSources {
  /** Path of the file itself. Problems start with it, and relative paths in the file start at its folder. */
  readonly path: string;
  readonly production: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** @throws FileUnusable */
  readFile(path: string, bytesMax: number): Buffer;
}

/** The message completes a sentence about the file, such as `cannot be read (ENOENT)`. */
export class FileUnusable extends Error {}

export const sourcesOf = (
  path: string,
  env: Readonly<Record<string, string | undefined>>,
  production: boolean,
): UpstreamsSources => ({ path, production, env: { ...env }, readFile: readRegularFile });

export const resolved = (path: string, { path: ownPath }: UpstreamsSources): string => resolve(dirname(ownPath), path);

/** A device or a pipe could block the process, or never end. */
function readRegularFile(path: string, bytesMax: number): Buffer {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw new FileUnusable('is not a regular file');
    if (stats.size > bytesMax) throw new FileUnusable(`has ${stats.size} bytes`);
    return readFileSync(path);
  } catch (error) {
    if (error instanceof FileUnusable) throw error;
    throw new FileUnusable(`cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}
