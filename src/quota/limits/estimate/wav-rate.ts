export const WAV_HEAD_BYTES = 36;
/** PCM, floating point, and the extensible form of both. Other formats are compressed. */
const UNCOMPRESSED: ReadonlySet<number> = new Set([1, 3, 0xfffe]);
/** Below 8 kbit/s, the header is wrong. */
const RATE_MIN = 1000;
/** 48 kHz, stereo, 32 bits. A higher rate would make a file appear shorter than it is. */
const RATE_MAX = 400_000;

/**
 * The rate in the header of an uncompressed WAV file, or null. The header states it twice, and the lower rate counts, because decoders
 * ignore one of them.
 * @param head the first bytes of the file
 */
export function wavBytesPerSecond(head: Buffer): number | null {
  if (head.length < WAV_HEAD_BYTES || head.toString('latin1', 0, 4) !== 'RIFF') return null;
  if (head.toString('latin1', 8, 16) !== 'WAVEfmt ' || !UNCOMPRESSED.has(head.readUInt16LE(20))) return null;
  const [channels, samplesPerSecond, bits] = [head.readUInt16LE(22), head.readUInt32LE(24), head.readUInt16LE(34)];
  const rate = Math.min(head.readUInt32LE(28), channels * samplesPerSecond * (bits / 8));
  return rate >= RATE_MIN ? Math.min(rate, RATE_MAX) : null;
}
