import type { FormPart } from '../multipart/form-part.js';
import { missingParameter } from '../wire/vendor-error.js';

interface SkillManifest {
  readonly name: string;
  readonly description: string;
}

/**
 * Reads `name` and `description` from the head of `SKILL.md`. Without that file, the first file provides the name.
 * @throws VendorError 400 if there is no file
 */
export function readManifest(files: readonly FormPart[]): SkillManifest {
  const [first] = files;

  if (first === undefined) throw missingParameter('files');

  const manifest = files.find(({ filename }) => filename?.endsWith('SKILL.md'))?.bytes.toString() ?? '';
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}:[ \\t]*(.+)$`, 'm').exec(manifest.slice(0, 10_000))?.[1]?.trim();

  return { name: field('name') ?? first.filename ?? 'skill', description: field('description') ?? '' };
}
