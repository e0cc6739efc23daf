const MODELS_MAX = 4_096;
/** Long enough for the longest model name with an endpoint before it. The name in a request can have megabytes. */
const NAME_LENGTH_MAX = 320;

/** A bounded cache by model. It is emptied when it is full, because a `Map` without an order of use has faster lookups. */
export class ModelCache<Found> {
  private readonly found = new Map<string, Found>();

  get(name: string): Found | undefined {
    return this.found.get(name);
  }

  /** Long names are not kept. */
  set(name: string, found: Found): void {
    if (name.length > NAME_LENGTH_MAX) return;
    if (this.found.size >= MODELS_MAX) this.found.clear();
    this.found.set(name, found);
  }

  clear(): void {
    this.found.clear();
  }
}
