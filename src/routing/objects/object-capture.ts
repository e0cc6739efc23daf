import { objectsIn } from './created-objects.rules.js';
import type { ObjectOwners } from './object-owners.service.js';
import { StreamObjects } from './stream-objects.js';

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
