import { readFileSync } from 'node:fs';

/**
 * Reads a statement from a file beside its caller. The bundler replaces each call by the text of the file.
 * @param caller literally `import.meta.url`, which the bundler searches
 * @param path a literal, relative to the caller
 */
export const sqlFile = (caller: string, path: string): string => readFileSync(new URL(path, caller), 'utf8');
