import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const DEFLATED = 8;

/** Reads one file from a zip archive, because a minimal system has no unzip. Supports neither zip64 nor encryption. */
export function unzip(archive, name) {
  let end = archive.length - 22;
  while (end >= 0 && archive.readUInt32LE(end) !== END) end -= 1;
  if (end < 0) throw new Error('The data is not a zip archive');
  let at = archive.readUInt32LE(end + 16);
  while (archive.readUInt32LE(at) === ENTRY) {
    const nameLength = archive.readUInt16LE(at + 28);
    const next = at + 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    if (archive.toString('utf8', at + 46, at + 46 + nameLength) === name) return contentOf(archive, at);
    at = next;
  }
  throw new Error(`The archive does not contain ${name}`);
}

function contentOf(archive, entry) {
  const method = archive.readUInt16LE(entry + 10);
  const size = archive.readUInt32LE(entry + 20);
  const head = archive.readUInt32LE(entry + 42);
  const from = head + 30 + archive.readUInt16LE(head + 26) + archive.readUInt16LE(head + 28);
  const bytes = archive.subarray(from, from + size);
  return method === DEFLATED ? inflateRawSync(bytes) : bytes;
}
