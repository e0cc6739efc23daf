import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** One file of the built page, held in memory. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** The same, compressed; null where that saves nothing. */
  readonly gzip: Buffer | null;
  readonly etag: string;
  /** Its name changes with its content. */
  readonly hashed: boolean;
}

/** What a build may have; more means that the folder holds something else. */
const FILES_MAX = 500;
const BYTES_MAX = 16 * 1024 * 1024;
const HASHED_IN = 'assets/';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
const COMPRESSED_ALREADY = ['.png', '.woff2'];

const compress = promisify(gzip);

/** Every file of a built page by its path below `folder`, with slashes; none where there is no such folder. */
export async function readPageFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  const names = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  if (names.length > FILES_MAX) throw new Error(`${folder} holds more than ${FILES_MAX} files`);
  const files = new Map<string, PageFile>();
  let bytes = 0;
  for (const name of names) {
    const content = await readFile(name);
    bytes += content.length;
    if (bytes > BYTES_MAX) throw new Error(`${folder} holds more than ${BYTES_MAX} bytes`);
    const path = relative(folder, name).split(sep).join('/');
    files.set(path, await fileOf(path, content));
  }
  return files;
}

async function fileOf(path: string, bytes: Buffer): Promise<PageFile> {
  const ending = extname(path);
  const smaller = COMPRESSED_ALREADY.includes(ending) ? bytes : await compress(bytes, { level: 9 });
  return {
    type: TYPES[ending] ?? 'application/octet-stream',
    bytes,
    gzip: smaller.length < bytes.length ? smaller : null,
    // Weak: the same for both forms.
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
    hashed: path.startsWith(HASHED_IN),
  };
}
