import { isPathId } from '../../../platform/routes/path-id.rules.js';
import { isObject, type JsonObject } from '../../../platform/validation/check.js';

const IDS_MAX = 64;
const DEPTH_MAX = 32;
/** A search visits at most this many objects and array elements, which takes a few milliseconds. */
const VALUES_MAX = 50_000;

/** The fields of a JSON text that contain IDs of stored objects at any depth. */
export interface IdFields {
  /** The value is an ID or an array of IDs. */
  readonly direct: ReadonlySet<string>;
  /** The value is an object with an `id`, or an ID: `"container": {"id": …}`. */
  readonly holders: ReadonlySet<string>;
  /** An object with such a `type` has an `id`: `{"type": "item_reference", "id": …}`. */
  readonly types: ReadonlySet<unknown>;
}

/** IDs of stored objects, in order and without duplicates. Implausible IDs, and more than `countMax` IDs, are ignored. */
export class ObjectIds {
  private readonly ids = new Set<string>();

  constructor(private readonly countMax = IDS_MAX) {}

  get full(): boolean {
    return this.ids.size >= this.countMax;
  }

  list(): string[] {
    return [...this.ids];
  }

  add(value: unknown): void {
    if (typeof value === 'string' && !this.full && isPathId(value)) this.ids.add(value);
  }

  /** Adds an ID, or the `id` of an object. */
  addHeld(value: unknown): void {
    this.add(isObject(value) ? value.id : value);
  }

  addAll(value: unknown): void {
    if (Array.isArray(value)) for (const entry of value) this.add(entry);
    else this.add(value);
  }

  /** Adds the IDs of these fields in the order of the text. Deep or large texts are searched only in part. */
  search(json: JsonObject, fields: IdFields): void {
    new Search(this, fields).run(json);
  }
}

/** Users choose the names in these values, such as those of function arguments. */
const FREE_FORM: ReadonlySet<string> = new Set([
  'metadata',
  'parameters',
  'input_schema',
  'schema',
  'json_schema',
  'item_schema',
  'arguments',
]);
/** The `input` of such an object contains function arguments. */
const TOOL_CALLS: ReadonlySet<unknown> = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use']);

/** A depth-first search without recursion, in the order of the text. */
class Search {
  private readonly values: object[] = [];
  private readonly depths: number[] = [];
  private left = VALUES_MAX;

  constructor(
    private readonly ids: ObjectIds,
    private readonly fields: IdFields,
  ) {}

  run(json: JsonObject): void {
    let depth = 0;
    for (let value: object | undefined = json; value !== undefined && !this.ids.full; value = this.values.pop()) {
      if (Array.isArray(value)) this.visitArray(value, depth + 1);
      else this.visitObject(value as JsonObject, depth + 1);
      depth = this.depths.pop() ?? 0;
    }
  }

  private visitArray(entries: readonly unknown[], depth: number): void {
    if (depth > DEPTH_MAX) return;
    // Backwards, because the last pushed value is visited first.
    for (let i = this.take(entries.length) - 1; i >= 0; i--) this.push(entries[i], depth);
  }

  private visitObject(object: JsonObject, depth: number): void {
    const names = Object.keys(object);
    const { direct, holders, types } = this.fields;
    if (types.has(object.type)) this.ids.add(object.id);
    for (const name of names) {
      if (direct.has(name)) this.ids.addAll(object[name]);
      else if (holders.has(name)) this.ids.addHeld(object[name]);
    }
    if (depth > DEPTH_MAX) return;
    const callsTool = TOOL_CALLS.has(object.type);
    for (let i = this.take(names.length) - 1; i >= 0; i--) {
      const name = names[i]!;
      if (!FREE_FORM.has(name) && !(callsTool && name === 'input')) this.push(object[name], depth);
    }
  }

  private push(value: unknown, depth: number): void {
    if (typeof value !== 'object' || value === null) return;
    this.values.push(value);
    this.depths.push(depth);
  }

  /** Counts the values as visited. @returns how many of `count` can still be visited */
  private take(count: number): number {
    const taken = Math.min(count, this.left);
    this.left -= taken;
    return taken;
  }
}
