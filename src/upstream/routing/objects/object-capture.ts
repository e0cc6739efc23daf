import { objectsIn } from './created-objects.rules.js';
import type { ObjectOwners } from './object-owners.service.js';
import { eventReader, type EventReader, type EventSubscriber } from '../../../platform/event-stream/event-reader.js';
import { BYTE_ORDER_MARK, OPEN_BRACE, QUOTE, SPACE } from '../../../platform/json/bytes.js';
import { FieldWatcher, type WatchReader } from '../../../platform/json/field-watcher.js';
import { WatchedFields } from '../../../platform/json/watched-fields.js';
import { decodeString } from '../../../platform/json/json-scan.js';
import { isPathId } from '../../../platform/routes/parameter-name.rules.js';

const NOTHING: readonly string[] = [];

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
  /** The current event contains the last expected ID. */
  private isLast = false;

  /** Returns the IDs that end in this chunk. Each ID is returned once. */
  push(chunk: Buffer): readonly string[] {
    if (this.done) return NOTHING;
    this.events ??= this.open(chunk);
    this.events?.push(chunk);
    if (this.bytesLeft === 0) this.finish();
    if (this.found.length === 0) return NOTHING;
    const { found } = this;
    this.found = [];
    return found;
  }

  data(piece: Buffer): void {
    if (this.done) return;
    const limit = this.isJson ? this.bytesLeft : Math.min(this.bytesLeft, this.lineBytesLeft);
    if (limit === 0) return;
    const read = piece.subarray(0, limit);
    this.bytesLeft -= read.length;
    this.lineBytesLeft -= read.length;
    this.watcher.push(read);
  }

  lineEnd(): void {
    // The JSON of a truncated line cannot continue in the next line.
    if (this.lineBytesLeft === 0) this.watcher.end();
    this.lineBytesLeft = LINE_BYTES_MAX;
  }

  eventEnd(): void {
    this.watcher.end();
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
    const isLast = this.isJson || OBJECTS.get(object);
    if (isLast !== undefined && this.report(id) && isLast) this.isLast = true;
    this.done = this.isLast || this.isJson;
  }

  private open(chunk: Buffer): EventReader | null {
    const first = chunk.find((byte) => byte > SPACE && !BYTE_ORDER_MARK.includes(byte));
    if (first === undefined) return null;
    this.isJson = first === OPEN_BRACE;
    return eventReader(this.isJson ? 'json' : 'sse', this);
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
