import type { WatchConnection } from '../database/watch-connection.js';

// Each row's name with the number of the transaction that wrote it: a sum that every insert, update and delete changes,
// in any order. The largest `updated_at` would miss a deletion, and a change that commits after a later one.
const FINGERPRINTS = `
  select (select count(*) || ':' || coalesce(sum(hashtextextended(model, xmin::text::bigint)), 0) from model_policies)
         || ' ' ||
         (select count(*) || ':' || coalesce(sum(hashtextextended(model, xmin::text::bigint)), 0) from model_probes) as policy,
         (select xmin::text || ':' || fetched_at from model_catalog) as catalog`;

type Topic = 'policy' | 'catalog';
type Fingerprints = Readonly<Record<Topic, string | null>>;

/** Detects that policy or catalog have changed, not where: both are small, and are read again as a whole. */
export class FingerprintPoll {
  private known: Fingerprints | null = null;

  constructor(
    private readonly query: WatchConnection['query'],
    private readonly report: (topic: Topic) => void,
  ) {}

  async poll(): Promise<void> {
    const [found] = await this.query<Fingerprints>(FINGERPRINTS);
    const before = this.known;
    if (!found) return;
    this.known = found;
    for (const topic of ['policy', 'catalog'] as const) {
      if (before?.[topic] !== found[topic]) this.report(topic);
    }
  }
}
