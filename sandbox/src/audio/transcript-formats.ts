import { type BytesResponse, jsonResponse, type SandboxResponse } from '../wire/response.js';
import { dataEvent } from '../wire/event-stream.js';
import type { Transcript } from './transcript.js';

export const TRANSCRIPT_FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] as const;

type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

interface TranscriptAsked {
  readonly task: 'transcribe' | 'translate';
  readonly format: TranscriptFormat;
  /** Two letters, or null if the request names no language. */
  readonly language: string | null;
  readonly granularities: readonly string[];
  /** Usage is reported in seconds instead of tokens. */
  readonly timed: boolean;
}

export function writeTranscript(transcript: Transcript, asked: TranscriptAsked): SandboxResponse {
  const { text, seconds } = transcript;

  switch (asked.format) {
    case 'json':
      return jsonResponse({ text, usage: usageOf(transcript, asked) });
    case 'diarized_json':
      return jsonResponse({
        task: asked.task,
        duration: seconds,
        text,
        segments: [speakerSegment(transcript)],
        usage: usageOf(transcript, asked),
      });
    case 'verbose_json':
      return jsonResponse(verbose(transcript, asked));
    case 'text':
      return plain(`${text}\n`);
    case 'srt':
      return plain(`1\n${clock(0, ',')} --> ${clock(seconds, ',')}\n${text}\n\n`);
    case 'vtt':
      return plain(`WEBVTT\n\n${clock(0, '.')} --> ${clock(seconds, '.')}\n${text}\n\n`);
    default:
      return asked.format satisfies never;
  }
}

/** Streams the tokens, the segment of a diarized transcript, and the whole text. The stream has no `[DONE]` event. */
export function* transcriptEvents(transcript: Transcript, asked: TranscriptAsked): Generator<string> {
  const diarized = asked.format === 'diarized_json';
  const segment = diarized ? { segment_id: speakerSegment(transcript).id } : {};

  for (const delta of transcript.tokens) yield dataEvent({ type: 'transcript.text.delta', delta, ...segment });
  if (diarized) yield dataEvent(speakerSegment(transcript));
  yield dataEvent({ type: 'transcript.text.done', text: transcript.text, usage: usageOf(transcript, asked) });
}

function usageOf({ seconds, tokens }: Transcript, { timed }: TranscriptAsked): object {
  const heard = Math.ceil(seconds);

  if (timed) return { type: 'duration', seconds: heard };
  return {
    type: 'tokens',
    input_tokens: heard * 10,
    input_token_details: { text_tokens: 0, audio_tokens: heard * 10 },
    output_tokens: tokens.length,
    total_tokens: heard * 10 + tokens.length,
  };
}

function speakerSegment({ text, seconds }: Transcript): { readonly id: string; readonly [field: string]: unknown } {
  return { type: 'transcript.text.segment', id: 'seg_0', speaker: 'A', start: 0, end: seconds, text };
}

function verbose(transcript: Transcript, asked: TranscriptAsked): object {
  const { text, seconds, words, tokens } = transcript;
  const segment = {
    id: 0,
    seek: 0,
    start: 0,
    end: seconds,
    text: ` ${text}`,
    tokens: tokens.map((_, index) => index),
    temperature: 0,
    avg_logprob: -0.2,
    compression_ratio: 1,
    no_speech_prob: 0.01,
  };

  return {
    task: asked.task,
    language: asked.language ?? 'english',
    duration: seconds,
    text,
    ...(asked.granularities.length === 0 || asked.granularities.includes('segment') ? { segments: [segment] } : {}),
    ...(asked.granularities.includes('word') ? { words } : {}),
    usage: { type: 'duration', seconds: Math.ceil(seconds) },
  };
}

function plain(text: string): BytesResponse {
  return { kind: 'bytes', contentType: 'text/plain; charset=utf-8', bytes: Buffer.from(text) };
}

function clock(seconds: number, separator: ',' | '.'): string {
  return new Date(seconds * 1_000).toISOString().slice(11, 23).replace('.', separator);
}
