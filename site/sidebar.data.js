import { globSync } from 'node:fs';
import { resolve } from 'node:path';

const DECISIONS = globSync('docs/adr/0*.md', { cwd: resolve(import.meta.dirname, '..') }).sort();

/**
 * The sections of the site, in order. An entry is a page, or a list of a page and the pages below it. Every page of `docs` is in
 * exactly one section.
 */
export const SECTIONS = [
  {
    text: 'Start',
    pages: [
      'docs/quick-start.md',
      'docs/tutorial.md',
      'docs/concepts.md',
      'docs/comparison.md',
      'docs/switch-from-litellm.md',
      'docs/limitations.md',
      'CHANGELOG.md',
    ],
  },
  {
    text: 'Use',
    pages: [
      'docs/client-guide.md',
      'docs/clients.md',
      [
        'docs/agents.md',
        'docs/agents/claude-code.md',
        'docs/agents/codex.md',
        'docs/agents/opencode.md',
        'docs/agents/kilo-code.md',
        'docs/agents/qwen-code.md',
        'docs/agents/cline.md',
        'docs/agents/continue.md',
        'docs/agents/goose.md',
        'docs/agents/cursor.md',
      ],
      'docs/profiles.md',
      'docs/sandbox.md',
    ],
  },
  {
    text: 'Providers',
    pages: [
      'docs/upstreams.md',
      'docs/routing.md',
      'docs/upstreams/recipes.md',
      'docs/upstreams/openai.md',
      'docs/upstreams/anthropic.md',
      'docs/upstreams/azure-openai.md',
      'docs/upstreams/bedrock.md',
      'docs/upstreams/google.md',
      'docs/upstreams/openrouter.md',
      'docs/upstreams/litellm.md',
      'docs/upstreams/vllm.md',
      'docs/upstreams/ollama.md',
      'docs/upstreams/llama-cpp.md',
    ],
  },
  {
    text: 'Govern',
    pages: [
      'docs/teams.md',
      ['docs/limits.md', 'docs/limits/reservations.md', 'docs/limits/effects.md'],
      [
        'docs/costs.md',
        'docs/costs/prices.md',
        'docs/costs/unpriced.md',
        'docs/costs/reports.md',
        'docs/costs/reconciliation.md',
      ],
      'docs/statistics.md',
    ],
  },
  {
    text: 'Operate',
    pages: [
      'docs/container.md',
      [
        'docs/kubernetes.md',
        'docs/kubernetes/running.md',
        'docs/kubernetes/network.md',
        'docs/kubernetes/secrets.md',
        'docs/kubernetes/upstreams.md',
        'docs/kubernetes/platforms.md',
        'docs/kubernetes/values.md',
      ],
      'docs/reverse-proxy.md',
      [
        'docs/operating.md',
        'docs/operating/sizing.md',
        'docs/operating/database.md',
        'docs/operating/outgoing-connections.md',
        'docs/operating/secrets.md',
        'docs/operating/upgrades.md',
        'docs/operating/backup.md',
        'docs/operating/monitoring.md',
      ],
      [
        'docs/runbook.md',
        'docs/runbook/instances.md',
        'docs/runbook/database.md',
        'docs/runbook/upstreams.md',
        'docs/runbook/limits-and-costs.md',
      ],
      ['docs/reliability.md', 'docs/reliability/faults.md'],
      'docs/high-availability.md',
    ],
  },
  {
    text: 'Security and data',
    pages: [
      'SECURITY.md',
      ['docs/threat-model.md', 'docs/threat-model/operators-and-other-parties.md'],
      'docs/data-and-privacy.md',
    ],
  },
  {
    text: 'Reference',
    pages: [
      'docs/settings.md',
      [
        'docs/cli.md',
        'docs/cli/keys.md',
        'docs/cli/limits-and-costs.md',
        'docs/cli/models-and-requests.md',
        'docs/cli/maintenance.md',
      ],
      'docs/metrics.md',
      'docs/behaviour.md',
      'docs/behaviour/request-lifecycle.md',
      'docs/behaviour/completions.md',
      'docs/behaviour/authentication-and-keys.md',
      'docs/behaviour/operators.md',
      'docs/behaviour/models.md',
      'docs/behaviour/route-models.md',
      'docs/behaviour/upstreams.md',
      'docs/behaviour/validation.md',
      'docs/behaviour/ambiguous-bodies.md',
      'docs/behaviour/limits-and-quotas.md',
      'docs/behaviour/token-accounting.md',
      'docs/behaviour/estimates.md',
      'docs/behaviour/streaming-and-errors.md',
      'docs/behaviour/responses.md',
      'docs/behaviour/outages.md',
      'docs/behaviour/health.md',
      'docs/behaviour/admin-api.md',
      'docs/behaviour/lists.md',
      'docs/behaviour/request-logs.md',
      'docs/behaviour/events-and-webhooks.md',
      'docs/licences.md',
    ],
  },
  {
    text: 'Contribute',
    pages: [
      'CONTRIBUTING.md',
      'docs/recipes.md',
      ['docs/architecture.md', 'docs/architecture/request-path.md'],
      ['docs/performance.md', 'docs/performance/hot-path.md'],
      'docs/fairness.md',
      'docs/releasing.md',
      ['docs/adr/README.md', ...DECISIONS],
    ],
  },
];
