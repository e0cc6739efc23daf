import { requireModel } from '../models/require-model.js';
import { countTokens } from '../simulation/tokens.js';
import type { SandboxResponse } from '../wire/response.js';
import { dataEvent } from '../wire/event-stream.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { optionalOneOf, requiredString } from '../wire/fields.js';
import { isJsonObject, type JsonObject, parseJsonObject } from '../wire/json-object.js';
import { invalidValue, missingParameter } from '../wire/vendor-error.js';
import { SOUND_FORMATS, soundOf } from './sound.js';

export const SPEECH_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: '/v1/audio/speech', handle: createSpeech },
];

const INPUT_LENGTH_MAX = 4096;
const PIECE_BYTES = 3_000;
/** These models do not support `stream_format: sse`. */
const CLASSIC = /^tts-1/;

/** Returns a short sound that does not depend on the input, either whole or as events. */
function createSpeech({ body }: SandboxRequest): SandboxResponse {
  const asked = parseJsonObject(body);
  const model = requiredString(asked, 'model');
  const input = requiredString(asked, 'input');

  requireModel(model, 'v1/audio/speech', ['tts']);
  requireVoice(asked);
  if (input.length > INPUT_LENGTH_MAX)
    throw invalidValue('input', `it can have at most ${INPUT_LENGTH_MAX} characters`);

  const sound = soundOf(optionalOneOf(asked, 'response_format', SOUND_FORMATS) ?? 'mp3');

  if (optionalOneOf(asked, 'stream_format', ['audio', 'sse']) !== 'sse') return { kind: 'bytes', ...sound };
  if (CLASSIC.test(model)) throw invalidValue('stream_format', `'sse' is not supported by ${model}`);
  return { kind: 'events', frames: soundEvents(sound.bytes, countTokens(input)) };
}

function* soundEvents(bytes: Buffer, inputTokens: number): Generator<string> {
  let pieces = 0;

  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield dataEvent({
      type: 'speech.audio.delta',
      audio: bytes.subarray(at, at + PIECE_BYTES).toString('base64'),
    });
    pieces += 1;
  }

  const usage = { input_tokens: inputTokens, output_tokens: pieces, total_tokens: inputTokens + pieces };

  yield dataEvent({ type: 'speech.audio.done', usage });
}

function requireVoice({ voice }: JsonObject): void {
  if (isJsonObject(voice)) requiredString(voice, 'id');
  else if (typeof voice !== 'string' || voice === '') throw missingParameter('voice');
}
