import { requireModel } from '../models/require-model.js';
import { Form } from '../multipart/form.js';
import type { SandboxResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { invalidValue } from '../wire/vendor-error.js';
import { transcriptOf } from './transcript.js';
import { TRANSCRIPT_FORMATS, transcriptEvents, writeTranscript } from './transcript-formats.js';

export const TRANSCRIPTIONS_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: '/v1/audio/transcriptions', handle: (request) => transcribe(request, 'transcribe') },
  { method: 'POST', path: '/v1/audio/translations', handle: (request) => transcribe(request, 'translate') },
];

/** These models report usage in seconds and do not stream. */
const WHISPER = /^whisper/;

/** Returns a text that names the file, in the requested format. It is English, so a translation is the same text. */
function transcribe({ headers, body }: SandboxRequest, task: 'transcribe' | 'translate'): SandboxResponse {
  const form = new Form(headers['content-type'], body);
  const file = form.requiredFile('file');
  const model = form.requiredText('model');

  requireModel(model, task === 'translate' ? 'v1/audio/translations' : 'v1/audio/transcriptions', ['transcription']);

  const wanted = form.text('response_format') ?? 'json';
  const format = TRANSCRIPT_FORMATS.find((known) => known === wanted);

  if (format === undefined) throw invalidValue('response_format', `use one of ${TRANSCRIPT_FORMATS.join(', ')}`);

  const granularities = form.texts('timestamp_granularities');
  const asked = { task, format, language: form.text('language'), granularities, timed: WHISPER.test(model) };
  const transcript = transcriptOf(file);

  if (form.text('stream') === 'true' && !WHISPER.test(model)) {
    return { kind: 'events', frames: transcriptEvents(transcript, asked) };
  }
  return writeTranscript(transcript, asked);
}
