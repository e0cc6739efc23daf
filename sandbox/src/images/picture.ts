import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

import { GIF_FILE, JPEG_FILE, WEBP_FILE } from './picture.data.js';

export const PICTURE_FORMATS = ['png', 'jpeg', 'webp', 'gif', 'svg'] as const;

export type PictureFormat = (typeof PICTURE_FORMATS)[number];

const SIDE = 16;
const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const BITS_PER_CHANNEL = 8;
const TRUE_COLOUR = 2;

/** Returns a small picture. `seed` determines the color of a PNG; other formats always have the same bytes. */
export function pictureOf(format: PictureFormat, seed: string): Buffer {
  switch (format) {
    case 'png':
      return pngOf(createHash('sha256').update(seed).digest().subarray(0, 3));
    case 'jpeg':
      return Buffer.from(JPEG_FILE, 'base64');
    case 'webp':
      return Buffer.from(WEBP_FILE, 'base64');
    case 'gif':
      return Buffer.from(GIF_FILE, 'base64');
    case 'svg':
      return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}"/>`);
    default:
      return format satisfies never;
  }
}

function pngOf(colour: Buffer): Buffer {
  const head = Buffer.alloc(13);
  const row = Buffer.concat([Buffer.of(0), ...Array.from({ length: SIDE }, () => colour)]);
  const pixels = Buffer.concat(Array.from({ length: SIDE }, () => row));

  head.writeUInt32BE(SIDE, 0);
  head.writeUInt32BE(SIDE, 4);
  head.writeUInt8(BITS_PER_CHANNEL, 8);
  head.writeUInt8(TRUE_COLOUR, 9);
  return Buffer.concat([
    SIGNATURE,
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  const check = Buffer.alloc(4);

  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
}
