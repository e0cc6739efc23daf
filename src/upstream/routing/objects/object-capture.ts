import { objectsIn } from './created-objects.rules.js';
import type { ObjectOwners } from './object-owners.service.js';
import { BYTE_ORDER_MARK, CARRIAGE_RETURN, LINE_FEED, OPEN_BRACE, QUOTE, SPACE } from '../../../platform/json/bytes.js';
import { FieldWatcher, type WatchReader } from '../../../platform/json/field-watcher.js';
import { WatchedFields } from '../../../platform/json/watched-fields.js';
import { decodeString } from '../../../platform/json/json-scan.js';
import { isPathId } from '../../../platform/routes/parameter-name.rules.js';

const NOTHING: readonly string[] = [];

function lineEndIn(chunk: Buffer, from: number): number {
  const feed = chunk.indexOf(LINE_FEED, from);
  const end = feed === -1 ? chunk.length : feed;
  const cr = chunk.subarray(from, end).indexOf(CARRIAGE_RETURN);
  return cr === -1 ? end : from + cr;
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
    private readonly expires: boolean,
  ) {}

  /** @param body a complete JSON response. @returns null if nothing has to be recorded */
  buffered(body: Buffer): Promise<void> | null {
    this.record(objectsIn(body));
    return this.recording;
  }

  /** Searches one chunk of a response that is forwarded as it arrives. */
  chunk(chunk: Buffer): void {
    this.stream ??= new StreamObjects();
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
    const recorded = this.owners.record(unrecorded, this.upstreamName, this.expires);
    const recording = earlier === null ? recorded : Promise.all([earlier, recorded]).then(() => undefined);
    this.recording = recording;
    void recording.then(() => {
      if (this.recording === recording) this.recording = null;
    });
  }
}

/** The reader looks at this many bytes of the payloads. The IDs are in the first events. */
const BYTES_MAX = 16 * 1024;
/** The rest of a longer line is skipped. The first event can repeat long instructions, and its IDs are at its beginning. */
const LINE_BYTES_MAX = 4 * 1024;
const DATA = Buffer.from('data:');

type Leaf = 'id' | 'object' | 'always' | 'last';

const id = { leaf: 'always' } as const;
const lastId = { leaf: 'last' } as const;

const WATCHED = new WatchedFields<Leaf>({
  // Assistants, stored chat completions, and JSON without an event stream.
  id: { leaf: 'id' },
  object: { leaf: 'object' },
  thread_id: id,
  // Responses. Requests that refer to items of a response name its first item too.
  response: { fields: new WatchedFields<Leaf>({ id, conversation: { fields: new WatchedFields<Leaf>({ id }) } }) },
  item: { fields: new WatchedFields<Leaf>({ id: lastId, container_id: id }) },
  // Messages.
  message: { fields: new WatchedFields<Leaf>({ container: { fields: new WatchedFields<Leaf>({ id: lastId }) } }) },
});

/** Values of `object` in events whose `id` names a stored object. No further IDs follow the `true` ones. */
const OBJECTS: ReadonlyMap<string | null, boolean> = new Map([
  ['thread', false],
  ['thread.run', true],
  ['chat.completion.chunk', true],
]);

/**
 * Finds the IDs of stored objects at the beginning of an event stream or of a long JSON response. Chunks can begin and end
 * anywhere. It holds only the IDs, and ignores everything after 16 KiB or after the last expected ID.
 */
export class StreamObjects implements WatchReader<Leaf> {
  private readonly watcher = new FieldWatcher<Leaf>(WATCHED, this);
  private readonly reported = new Set<string>();
  private found: string[] = [];
  private done = false;
  private format: 'unknown' | 'events' | 'json' = 'unknown';
  private bytesLeft = BYTES_MAX;
  /** Bytes of the current line that were compared with `data:`; -1 if the line is not a `data` line. */
  private prefix = 0;
  private lineBytesLeft = LINE_BYTES_MAX;
  private afterCr = false;
  private readonly event: { id: string | null; object: string | null } = { id: null, object: null };
  /** The current event contains the last expected ID. */
  private isLast = false;

  /** Returns the IDs that end in this chunk. Each ID is returned once. */
  push(chunk: Buffer): readonly string[] {
    if (this.done) return NOTHING;
    let at = 0;
    if (this.format === 'unknown') at = this.detect(chunk);
    if (this.format === 'json') this.payload(chunk, at, chunk.length);
    else if (this.format === 'events') this.lines(chunk, at);
    if (this.bytesLeft === 0) this.finish();
    if (this.found.length === 0) return NOTHING;
    const { found } = this;
    this.found = [];
    return found;
  }

  value(leaf: Leaf, value: Buffer): void {
    // The value can be truncated.
    const text = value.at(-1) === QUOTE ? decodeString(value, 0, value.length) : null;
    if (leaf === 'id' || leaf === 'object') this.event[leaf] = text;
    else if (this.report(text) && leaf === 'last') this.isLast = true;
  }

  document(): void {
    const { id, object } = this.event;
    this.event.id = this.event.object = null;
    const isLast = this.format === 'json' || OBJECTS.get(object);
    if (isLast !== undefined && this.report(id) && isLast) this.isLast = true;
    this.done = this.isLast || this.format === 'json';
  }

  /** Returns the index of the first byte that is not a space or part of a byte order mark. */
  private detect(chunk: Buffer): number {
    let at = 0;
    while (at < chunk.length && (chunk[at]! <= SPACE || BYTE_ORDER_MARK.includes(chunk[at]!))) at++;
    if (at < chunk.length) this.format = chunk[at] === OPEN_BRACE ? 'json' : 'events';
    return at;
  }

  private lines(chunk: Buffer, from: number): void {
    let at = from;
    while (at < chunk.length && !this.done && this.bytesLeft > 0) {
      const byte = chunk[at]!;
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) {
        this.lineEnd(byte);
        at++;
      } else if (this.prefix === DATA.length) {
        const end = lineEndIn(chunk, at);
        this.payload(chunk, at, end);
        at = end;
      } else if (this.prefix >= 0 && byte === DATA[this.prefix]) {
        this.prefix++;
        at++;
      } else {
        this.prefix = -1;
        at = lineEndIn(chunk, at);
      }
      this.afterCr = byte === CARRIAGE_RETURN;
    }
  }

  private lineEnd(byte: number): void {
    if (byte === LINE_FEED && this.afterCr) return;
    // A blank line ends an event. After a truncated line, its JSON cannot continue either.
    if (this.prefix === 0 || this.lineBytesLeft === 0) this.watcher.end();
    this.prefix = 0;
    this.lineBytesLeft = LINE_BYTES_MAX;
  }

  private payload(chunk: Buffer, from: number, to: number): void {
    const limit = this.format === 'json' ? this.bytesLeft : Math.min(this.bytesLeft, this.lineBytesLeft);
    const count = Math.min(to - from, limit);
    if (count === 0) return;
    this.bytesLeft -= count;
    this.lineBytesLeft -= count;
    this.watcher.push(chunk.subarray(from, from + count));
  }

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
