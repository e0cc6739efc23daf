import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { QueryEnum } from '../platform/validation/query-fields.js';

const FORMATS = ['json', 'csv'] as const;
export type DownloadFormat = (typeof FORMATS)[number];

export const QueryFormat = (description: string): PropertyDecorator =>
  QueryEnum(FORMATS, { byDefault: 'json', description });

/** Returns a response that browsers save as a file. */
export function csvDownload(content: string | AsyncIterable<string>, name: string): StreamableFile {
  const options = { type: 'text/csv; charset=utf-8', disposition: `attachment; filename="${name}"` };
  return typeof content === 'string'
    ? new StreamableFile(Buffer.from(content), options)
    : new StreamableFile(Readable.from(content), options);
}
