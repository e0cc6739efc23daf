import { eventReader, type EventReader, type EventSubscriber } from '../../platform/event-stream/event-reader.js';
import { WordMarks } from '../../platform/event-stream/word-marks.js';
import { FieldWatcher, type WatchReader } from '../../platform/json/field-watcher.js';
import { WatchedFields } from '../../platform/json/watched-fields.js';
import type { ResponseFormat } from '../metering/response-format.js';
import { ERROR_TYPE, isEmpty } from '../metering/response-report.js';
import { nextError } from '../metering/stream-marks.js';

type Leaf = 'error' | 'type';

const ERROR = { leaf: 'error' } as const;
/** An object with an error. */
const within = { fields: new WatchedFields<Leaf>({ error: ERROR }) };
/** The first element of an array. */
const first = (fields: object) => ({ fields: new WatchedFields<Leaf>({ 0: fields }) });

/** The places at which providers put an error into a response with a success status. */
const WATCHED = new WatchedFields<Leaf>({
  error: ERROR,
  errors: first(ERROR),
  type: { leaf: 'type' },
  response: within,
  x_groq: within,
  choices: first(within),
});

const NOTHING: Buffer = Buffer.alloc(0);

/** A part of a chunk: of an event, a line or a document that contains an error. */
export interface ErrorRegion {
  readonly from: number;
  readonly to: number;
  /** The region begins inside a JSON string. */
  readonly inString: boolean;
}

/**
 * Finds errors in a response that arrives in chunks. A unit is an event, a line of NDJSON, or a JSON document. As soon as a unit contains
 * an error, its bytes in the current chunk and in later chunks are a region. A chunk without the word costs one native search.
 */
export class ErrorSearch implements WatchReader<Leaf>, EventSubscriber {
  /** The regions of units that end in the current chunk. The first one can continue a region of earlier chunks. */
  regions: ErrorRegion[] = [];
  private readonly fields = new FieldWatcher<Leaf>(WATCHED, this);
  private readonly events: EventReader;
  private chunk = NOTHING;
  private isError = false;
  /** The rest of the current unit is not searched. */
  private hasGivenUp = false;
  /** The bytes of the current unit in the current chunk. `from` is -1 if there are none. */
  private from = -1;
  private to = 0;
  private inString = false;
  /** The region of the current unit began in an earlier chunk. */
  private continues = false;
  /** A JSON document has ended in the current chunk. */
  private ended = false;

  /** @param jsonBytesMax the rest of a JSON response is not searched */
  constructor(
    private readonly format: ResponseFormat,
    jsonBytesMax: number,
  ) {
    const events = eventReader(format, this, new WordMarks([nextError]));
    this.events = format === 'json' ? new Beginning(events, jsonBytesMax) : events;
  }

  push(chunk: Buffer): void {
    if (this.regions.length > 0) this.regions = [];
    this.continues = this.open !== null;
    this.chunk = chunk;
    this.from = -1;
    this.to = 0;
    this.ended = false;
    this.events.push(chunk);
  }

  end(): void {
    this.push(NOTHING);
    this.events.end();
  }

  /** The region that continues in the next chunk. */
  get open(): ErrorRegion | null {
    return this.isError && (this.continues || this.from !== -1) ? this.regionTo(this.chunk.length) : null;
  }

  /** Ends the open region. The rest of its unit is not searched. */
  giveUp(): void {
    this.isError = this.continues = false;
    this.hasGivenUp = true;
  }

  value(leaf: Leaf, value: Buffer): void {
    if (leaf === 'error' ? !isEmpty(value) : value.equals(ERROR_TYPE)) this.errorEvent();
  }

  other(leaf: Leaf): void {
    if (leaf === 'error') this.errorEvent();
  }

  document(): void {
    // Events and lines end in `eventEnd`.
    this.ended = this.format === 'json';
  }

  data(piece: Buffer): void {
    const from = piece.byteOffset - this.chunk.byteOffset;
    if (this.from === -1) {
      this.from = from;
      if (!this.continues) this.inString = this.fields.inString;
    }
    this.to = from + piece.length;
    this.fields.push(piece);
    if (this.fields.openLeaf === 'error') this.errorEvent();
    // Nothing can follow the document, so an error need not wait for the end of the response.
    if (this.ended && !this.fields.open) this.eventEnd();
  }

  eventEnd(): void {
    this.fields.end();
    if (this.open !== null) this.regions.push(this.regionTo(this.to));
    this.from = -1;
    this.isError = this.hasGivenUp = this.continues = false;
  }

  /** The current unit contains an error. */
  errorEvent(): void {
    this.isError = !this.hasGivenUp;
  }

  private regionTo(to: number): ErrorRegion {
    const { from, continues, inString } = this;
    return { from: continues ? 0 : from, to, inString };
  }
}

/** The beginning of a document. Errors are short, and reading all of a long response would take too long. */
class Beginning implements EventReader {
  constructor(
    private readonly events: EventReader,
    private bytesLeft: number,
  ) {}

  push(chunk: Buffer): void {
    if (this.bytesLeft === 0) return;
    const piece = chunk.subarray(0, this.bytesLeft);
    this.bytesLeft -= piece.length;
    this.events.push(piece);
  }

  end(): void {
    this.events.end();
  }
}
