import type { WatchConnection } from '../database/watch-connection.js';

// Sums hashes of each row's model and transaction ID, so that every insert, update, and delete changes the result. The largest
// `updated_at` would miss deletions and changes that commit out of order.
const FINGERPRINTS = `
  select (select count(*) || ':' || coalesce(sum(hashtextextended(model, xmin::text::bigint)), 0) from model_policies)
         || ' ' ||
         (select count(*) || ':' || coalesce(sum(hashtextextended(model, xmin::text::bigint)), 0) from model_probes)
         || ' ' ||
         (select count(*) || ':' || coalesce(sum(hashtextextended(upstream, xmin::text::bigint)), 0) from upstream_drains) as policy,
         (select coalesce(string_agg(xmin::text || ':' || fetched_at, ' '), '') from model_catalog)
         || ' ' ||
         (select count(*) || ':' || coalesce(sum(hashtextextended(upstream, xmin::text::bigint)), 0) from upstream_catalogs) as catalog`;

type Topic = 'policy' | 'catalog';
type Fingerprints = Readonly<Record<Topic, string | null>>;

/**
 * Detects that the policy or the catalog has changed, but not which rows. Both are small, so listeners read them again completely.
 */
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
