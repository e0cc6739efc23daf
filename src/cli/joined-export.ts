import { CliError } from './cli-error.js';

/** Half of the maximum length of a string. */
const EXPORT_LENGTH_MAX = 256 * 1024 * 1024;

/** Joins the parts of a CSV file. @throws CliError `validation_error` if the file is larger than 256 MiB */
export async function joinedExport(parts: AsyncIterable<string>): Promise<string> {
  const texts: string[] = [];
  let length = 0;
  for await (const part of parts) {
    length += part.length;
    if (length > EXPORT_LENGTH_MAX)
      throw new CliError(
        'validation_error',
        'The export is larger than 256 MiB. Choose fewer days with --since and --until.',
      );
    texts.push(part);
  }
  return texts.join('');
}
