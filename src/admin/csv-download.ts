import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** Returns a response that browsers save as a file. The lines come from `csvLine`. */
export function csvDownload(content: string | AsyncIterable<string>, name: string): StreamableFile {
  const options = { type: 'text/csv; charset=utf-8', disposition: `attachment; filename="${name}"` };
  return typeof content === 'string'
    ? new StreamableFile(Buffer.from(content), options)
    : new StreamableFile(Readable.from(content), options);
}
