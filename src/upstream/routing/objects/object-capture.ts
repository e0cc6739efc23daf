import { objectsIn } from './created-objects.rules.js';
import { encryptedContentId, signatureId } from './opaque-content.rules.js';
import type { ObjectOwners } from './object-owners.service.js';
import { eventReader, type EventReader, type EventSubscriber } from '../../../platform/event-stream/event-reader.js';
import { finderOf, WordMarks } from '../../../platform/event-stream/word-marks.js';
import { BYTE_ORDER_MARK, OPEN_BRACE, QUOTE, SPACE } from '../../../platform/json/bytes.js';
import { FieldWatcher, type WatchReader } from '../../../platform/json/field-watcher.js';
import { WatchedFields } from '../../../platform/json/watched-fields.js';
import { decodeString } from '../../../platform/json/json-scan.js';
import { isPathId } from '../../../platform/routes/path-id.rules.js';

const NOTHING: readonly string[] = [];

interface CapturedRoute {
  readonly expires: boolean;
  /** Null if the objects are named at the beginning of a stream. */
  readonly marks: readonly string[] | null;
}

/**
 * Records the objects that a successful response names. The forwarder waits for the returned promises before it ends the
 * response, so that a client can use an ID on any instance immediately. They never reject, and resolve within 1.5 s.
 */
export class ObjectCapture {
  private stream: StreamObjects | null = null;
  private recording: Promise<void> | null = null;

  constructor(
    private readonly owners: Pick<ObjectOwners, 'record' | 'unrecorded'>,
    private readonly upstreamName: string,
    private readonly route: CapturedRoute,
  ) {}

  /** @param body a complete JSON response. @returns null if nothing has to be recorded */
  buffered(body: Buffer): Promise<void> | null {
    this.record(objectsIn(body));
    return this.recording;
  }

  /** Searches one chunk of a response that is forwarded as it arrives. */
  chunk(chunk: Buffer): void {
    this.stream ??= new StreamObjects(this.route.marks);
    const ids = this.stream.push(chunk);
    if (ids.length > 0) this.record(ids);
  }

  /** Call it after the last chunk, even if the response was interrupted. @returns null if everything is recorded */
  end(): Promise<void> | null {
    return this.recording;
  }

  private record(ids: readonly string[]): void {
    const unrecorded = this.owners.unrecorded(ids, this.upstreamName);
    if (unrecorded.length === 0) return;
    const earlier = this.recording;
    const recorded = this.owners.record(unrecorded, this.upstreamName, this.route.expires);
    const recording = earlier === null ? recorded : Promise.all([earlier, recorded]).then(() => undefined);
    this.recording = recording;
    void recording.then(() => {
      if (this.recording === recording) this.recording = null;
    });
  }
}

/** Without marks, the reader looks at this many bytes of the payloads. The IDs are in the first events. */
const BYTES_MAX = 16 * 1024;
/** The rest of a longer line is skipped. The first event can repeat long instructions, and its IDs are at its beginning. */
const LINE_BYTES_MAX = 4 * 1024;
/** Encrypted reasoning can follow a long summary. */
const ITEM_LINE_BYTES_MAX = 1024 * 1024;
/** Events whose lines are read up to this length. */
const ITEM_EVENTS: ReadonlySet<string | null> = new Set([
  'response.output_item.added',
  'response.output_item.done',
  'content_block_start',
  'content_block_delta',
]);
/** A stream with more IDs is read no further. */
const IDS_MAX = 1_000;
/** Only the beginning of a signature that arrives in parts is kept. */
const SIGNATURE_LENGTH_MAX = 8 * 1024;

/**
 * - `event`: the type of the event.
 * - `encrypted`: encrypted content of an item.
 * - `signature`: the signature of a thinking block, or a part of it. `redacted`: the data of a redacted one.
 * - `id`: an ID of a stored object only if the event's `object` is in `OBJECTS`.
 * - `object`: the name of the event's kind.
 * - `always`: an ID of a stored object.
 * - `last`: the same, and no further IDs follow.
 */
type Leaf = 'event' | 'encrypted' | 'signature' | 'redacted' | 'id' | 'object' | 'always' | 'last';

const ALWAYS = { leaf: 'always' } as const;
const LAST = { leaf: 'last' } as const;

const WATCHED = new WatchedFields<Leaf>({
  // Assistants, stored chat completions, and JSON without an event stream.
  id: { leaf: 'id' },
  object: { leaf: 'object' },
  thread_id: ALWAYS,
  type: { leaf: 'event' },
  // Responses.
  response: {
    fields: new WatchedFields<Leaf>({ id: ALWAYS, conversation: { fields: new WatchedFields<Leaf>({ id: ALWAYS }) } }),
  },
  item: {
    fields: new WatchedFields<Leaf>({ id: ALWAYS, container_id: ALWAYS, encrypted_content: { leaf: 'encrypted' } }),
  },
  // Messages.
  content_block: { fields: new WatchedFields<Leaf>({ signature: { leaf: 'signature' }, data: { leaf: 'redacted' } }) },
  delta: {
    fields: new WatchedFields<Leaf>({
      signature: { leaf: 'signature' },
      container: { fields: new WatchedFields<Leaf>({ id: ALWAYS }) },
    }),
  },
  message: { fields: new WatchedFields<Leaf>({ container: { fields: new WatchedFields<Leaf>({ id: LAST }) } }) },
});

/** Values of `object` in events whose `id` names a stored object. No further IDs follow an `isLast` one. */
const OBJECTS: ReadonlyMap<string | null, { readonly isLast: boolean }> = new Map([
  ['thread', { isLast: false }],
  ['thread.run', { isLast: true }],
  ['chat.completion.chunk', { isLast: true }],
]);

/**
 * Finds the IDs of stored objects and opaque contents in an event stream, or at the beginning of a long JSON response. Chunks can begin
 * and end anywhere. It holds only the IDs. Without marks, it ignores everything after 16 KiB or after the last expected ID.
 */
export class StreamObjects implements WatchReader<Leaf>, EventSubscriber {
  private readonly watcher = new FieldWatcher<Leaf>(WATCHED, this);
  private readonly reported = new Set<string>();
  private found: string[] = [];
  private done = false;
  /** Null until the first byte that is not a space. */
  private events: EventReader | null = null;
  private isJson = false;
  private bytesLeft = BYTES_MAX;
  private lineBytesLeft = LINE_BYTES_MAX;
  private readonly event: { id: string | null; object: string | null } = { id: null, object: null };
  /** The current event contains the last expected ID. It is read to its end, because more IDs can follow in it. */
  private foundLast = false;
  private isItemEvent = false;
  /** The parts of a signature so far. */
  private signature = '';

  /** @param marks parts of the events that can name objects; null if they are at the beginning */
  constructor(private readonly marks: readonly string[] | null = null) {}

  /** Returns the IDs that end in this chunk. Each ID is returned once. */
  push(chunk: Buffer): readonly string[] {
    if (this.done) return NOTHING;
    this.events ??= this.open(chunk);
    this.events?.push(chunk);
    if (this.bytesLeft === 0 || this.reported.size >= IDS_MAX) this.finish();
    if (this.found.length === 0) return NOTHING;
    const { found } = this;
    this.found = [];
    return found;
  }

  data(piece: Buffer): void {
    for (let rest = piece; rest.length > 0 && !this.done;) {
      const read = rest.subarray(0, this.limit);
      if (read.length === 0) return;
      if (this.isJson || this.marks === null) this.bytesLeft -= read.length;
      this.lineBytesLeft -= read.length;
      // The limit can rise, because the line belongs to an item.
      this.watcher.push(read);
      rest = rest.subarray(read.length);
    }
  }

  lineEnd(): void {
    // The JSON of a truncated line cannot continue in the next line.
    if (this.lineBytesLeft === 0) this.watcher.end();
    this.lineBytesLeft = this.isItemEvent ? ITEM_LINE_BYTES_MAX : LINE_BYTES_MAX;
  }

  eventEnd(): void {
    this.watcher.end();
    this.isItemEvent = false;
    this.lineBytesLeft = LINE_BYTES_MAX;
  }

  value(leaf: Leaf, value: Buffer): void {
    // The value can be truncated.
    if (leaf === 'encrypted' || leaf === 'redacted' || leaf === 'signature') this.contentValue(leaf, contentIn(value));
    else this.textValue(leaf, value);
  }

  private contentValue(leaf: 'encrypted' | 'redacted' | 'signature', content: string): void {
    if (content === '') return;
    if (leaf === 'encrypted') this.report(encryptedContentId(content));
    else if (leaf === 'redacted') this.report(signatureId(content));
    else this.signature = (this.signature + content).slice(0, SIGNATURE_LENGTH_MAX);
  }

  private textValue(leaf: Exclude<Leaf, 'encrypted' | 'redacted' | 'signature'>, value: Buffer): void {
    const text = value.at(-1) === QUOTE ? decodeString(value, 0, value.length) : null;
    if (leaf === 'event') this.startEvent(text);
    else if (leaf === 'id' || leaf === 'object') this.event[leaf] = text;
    else if (this.report(text) && leaf === 'last') this.foundLast = true;
  }

  document(): void {
    const { id, object } = this.event;
    this.event.id = this.event.object = null;
    const kind = OBJECTS.get(object);
    // A JSON response is one document, and its `id` always names an object.
    if ((this.isJson || kind !== undefined) && this.report(id) && kind?.isLast === true) this.foundLast = true;
    this.done = this.isJson || (this.foundLast && this.marks === null);
  }

  private get limit(): number {
    if (this.isJson) return this.bytesLeft;
    return this.marks === null ? Math.min(this.bytesLeft, this.lineBytesLeft) : this.lineBytesLeft;
  }

  private startEvent(type: string | null): void {
    if (this.signature !== '' && type !== 'content_block_delta') this.endSignature();
    if (!ITEM_EVENTS.has(type)) return;
    this.isItemEvent = true;
    this.lineBytesLeft += ITEM_LINE_BYTES_MAX;
  }

  private endSignature(): void {
    this.report(signatureId(this.signature));
    this.signature = '';
  }

  /** Chooses the reader by the first byte. @returns null before that byte */
  private open(chunk: Buffer): EventReader | null {
    const first = chunk.find((byte) => byte > SPACE && !BYTE_ORDER_MARK.includes(byte));
    if (first === undefined) return null;
    this.isJson = first === OPEN_BRACE;
    const marks = this.isJson || this.marks === null ? null : new WordMarks(this.marks.map(finderOf));
    return eventReader(this.isJson ? 'json' : 'sse', this, marks);
  }

  /** Adds the ID to `found` unless it was reported before. @returns whether it is a plausible ID */
  private report(text: string | null): boolean {
    if (text === null || !isPathId(text)) return false;
    if (!this.reported.has(text)) this.found.push(text);
    this.reported.add(text);
    return true;
  }

  private finish(): void {
    this.watcher.end();
    this.done = true;
  }
}

/** The text of a JSON string, which can be truncated. */
function contentIn(value: Buffer): string {
  if (value[0] !== QUOTE) return '';
  return value.at(-1) === QUOTE ? (decodeString(value, 0, value.length) ?? '') : value.toString('utf8', 1);
}
