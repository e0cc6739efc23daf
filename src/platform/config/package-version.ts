import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** @returns the version that the build has written to `dist`, or the version of the project if it runs from source (docs/releasing.md) */
export function packageVersion(): string {
  // The relative path to package.json depends on the output folder of this file.
  const file = findPackageJSON('.', import.meta.url);
  if (file === undefined) throw new Error('No package.json was found above the program');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
