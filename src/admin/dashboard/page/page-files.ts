import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzip: Buffer | null;
  readonly etag: string;
  /** The file's name contains a hash of its content, so clients can cache it forever. */
  readonly hashed: boolean;
}

/** A larger folder is not a dashboard build. */
const FILES_MAX = 500;
const BYTES_MAX = 16 * 1024 * 1024;
const HASHED_FOLDER = 'assets/';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
const ALREADY_COMPRESSED = ['.png', '.woff2'];

const compress = promisify(gzip);

export async function readPageFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  const names = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  if (names.length > FILES_MAX) throw new Error(`${folder} contains more than ${FILES_MAX} files`);
  const files = new Map<string, PageFile>();
  let bytes = 0;
  for (const name of names) {
    const content = await readFile(name);
    bytes += content.length;
    if (bytes > BYTES_MAX) throw new Error(`${folder} contains more than ${BYTES_MAX} bytes`);
    const path = relative(folder, name).split(sep).join('/');
    files.set(path, await fileOf(path, content));
  }
  return files;
}

async function fileOf(path: string, bytes: Buffer): Promise<PageFile> {
  const extension = extname(path);
  const smaller = ALREADY_COMPRESSED.includes(extension) ? bytes : await compress(bytes, { level: 9 });
  return {
    type: TYPES[extension] ?? 'application/octet-stream',
    bytes,
    gzip: smaller.length < bytes.length ? smaller : null,
    // Weak, because the compressed and the plain form share it.
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
    hashed: path.startsWith(HASHED_FOLDER),
  };
}
