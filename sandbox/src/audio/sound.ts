import { AAC_FRAME, FLAC_FILE, MP3_FRAME, OGG_OPUS_FILE } from './silence.data.js';

export const SOUND_FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;

export type SoundFormat = (typeof SOUND_FORMATS)[number];

interface Sound {
  readonly contentType: string;
  readonly bytes: Buffer;
}

const RATE_HZ = 24_000;
const TONE_HZ = 440;
const SAMPLES = RATE_HZ / 4;
const LOUDNESS = 8_000;
const FRAMES = 10;
const WAV_HEAD_BYTES = 44;

/** Returns a playable quarter of a second: a tone as WAV and PCM, silence in formats that would need an encoder. */
export function soundOf(format: SoundFormat): Sound {
  switch (format) {
    case 'mp3':
      return { contentType: 'audio/mpeg', bytes: repeated(MP3_FRAME) };
    case 'opus':
      return { contentType: 'audio/ogg', bytes: Buffer.from(OGG_OPUS_FILE, 'base64') };
    case 'aac':
      return { contentType: 'audio/aac', bytes: repeated(AAC_FRAME) };
    case 'flac':
      return { contentType: 'audio/flac', bytes: Buffer.from(FLAC_FILE, 'base64') };
    case 'wav':
      return { contentType: 'audio/wav', bytes: wavOf(tone()) };
    case 'pcm':
      return { contentType: 'audio/pcm', bytes: tone() };
    default:
      return format satisfies never;
  }
}

function repeated(frame: string): Buffer {
  return Buffer.concat(Array.from({ length: FRAMES }, () => Buffer.from(frame, 'base64')));
}

/** Returns 16-bit little-endian mono samples. */
function tone(): Buffer {
  const samples = Buffer.alloc(SAMPLES * 2);

  for (let at = 0; at < SAMPLES; at += 1) {
    samples.writeInt16LE(Math.round(LOUDNESS * Math.sin((2 * Math.PI * TONE_HZ * at) / RATE_HZ)), at * 2);
  }
  return samples;
}

function wavOf(samples: Buffer): Buffer {
  const head = Buffer.alloc(WAV_HEAD_BYTES);

  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(WAV_HEAD_BYTES - 8 + samples.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16); // bytes in the format section
  head.writeUInt16LE(1, 20); // PCM
  head.writeUInt16LE(1, 22); // one channel
  head.writeUInt32LE(RATE_HZ, 24);
  head.writeUInt32LE(RATE_HZ * 2, 28); // bytes per second
  head.writeUInt16LE(2, 32); // bytes per sample
  head.writeUInt16LE(16, 34); // bits per sample
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
