import { createHash } from 'node:crypto';

const NUMBERS_PER_HASH = 8;
const UINT32_MAX = 0xffff_ffff;

/** Returns a unit vector that depends only on the model, text and dimensions. Its direction has no meaning. */
export function embeddingVector(model: string, text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  const seed = createHash('sha256').update(`${model}\n`).update(text).digest();

  for (let start = 0; start < dimensions; start += NUMBERS_PER_HASH) {
    const hash = createHash('sha256').update(seed).update(String(start)).digest();

    for (let at = 0; at < NUMBERS_PER_HASH && start + at < dimensions; at += 1) {
      vector[start + at] = hash.readUInt32LE(at * 4) / UINT32_MAX - 0.5;
    }
  }

  const length = Math.hypot(...vector);

  return vector.map((value) => value / length);
}
