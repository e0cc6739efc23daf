import type { JsonObject, Kind } from '../../validation/check.js';
import { arrayOf, object, required } from '../../validation/compound-kinds.js';
import { oneOf } from '../../validation/scalar-kinds.js';

const VOICES = 'alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse'.split(' ');
const FORMATS = ['aac', 'flac', 'mp3', 'opus', 'pcm16', 'pcm24', 'wav'];

/** `modalities`: what the answer is made of. */
export const modalities: Kind = arrayOf(oneOf('text', 'audio'), { min: 1 });

/** `audio`: how a spoken answer sounds. */
export const audioOutput: Kind = object({ voice: required(oneOf(...VOICES)), format: oneOf(...FORMATS) });

/** Whether `audio` has to be there. */
export const asksForAudio = ({ modalities: asked }: JsonObject): boolean =>
  Array.isArray(asked) && asked.includes('audio');
