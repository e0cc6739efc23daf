import type { ResponseFactsReader } from './response-facts.js';

/** The last few events of a chat stream: the finish reason, the usage, and the end. */
const TAIL_BYTES = 4096;

interface Chunk {
  readonly id?: unknown;
  readonly model?: unknown;
  readonly choices?: readonly ({ readonly index?: unknown; readonly finish_reason?: unknown } | null)[];
}

/**
 * The end of a stream whose trace is sampled. Chat streams name the finish reason in an event without usage, which the usage
 * reader skips. Reading every event for it would cost more than copying.
 */
export class StreamTail {
  private readonly kept = Buffer.allocUnsafe(2 * TAIL_BYTES);
  private keptBytes = 0;

  /** Copies the end of `chunk`, because a slice would keep the socket's whole buffer in memory. */
  push(chunk: Buffer): void {
    const from = Math.max(0, chunk.length - TAIL_BYTES);
    const bytes = chunk.length - from;
    if (this.keptBytes + bytes > this.kept.length) {
      this.kept.copyWithin(0, this.keptBytes - TAIL_BYTES, this.keptBytes);
      this.keptBytes = TAIL_BYTES;
    }
    this.keptBytes += chunk.copy(this.kept, this.keptBytes, from);
  }

  /** Call it once, when the stream has ended. */
  readInto(facts: ResponseFactsReader): void {
    const tail = this.kept.toString('utf8', Math.max(0, this.keptBytes - TAIL_BYTES), this.keptBytes);
    for (const line of tail.split(/[\r\n]+/)) {
      const json = line.startsWith('data:') ? line.slice('data:'.length).trim() : line;
      if (json.startsWith('{')) readChunk(json, facts);
    }
  }
}

function readChunk(json: string, facts: ResponseFactsReader): void {
  try {
    const { id, model, choices } = JSON.parse(json) as Chunk;
    facts.note('id', id);
    facts.note('model', model);
    if (!Array.isArray(choices)) return;
    for (const choice of choices as NonNullable<Chunk['choices']>)
      facts.note('finish', choice?.finish_reason, typeof choice?.index === 'number' ? choice.index : 0);
  } catch {
    // A line that was cut at the start of the tail is not JSON.
  }
}
