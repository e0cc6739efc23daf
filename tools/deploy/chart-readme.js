/** Builds README.md of the chart. Its links are not relative, because registries show it without the repository. */
export const chartReadme = (valuesTable) => `# inference-gateway

An HTTP gateway in front of AI provider accounts, for companies that issue their own API keys. This chart installs the
gateway. You need a PostgreSQL database.

This page is generated from \`values.yaml\` by \`npm run docs:deploy\`. \`docs/kubernetes.md\` in the repository describes
installation and upgrades in detail.

## Requirements

| software                  | version                                        |
| ------------------------- | ---------------------------------------------- |
| Kubernetes                | 1.27 or newer                                  |
| Helm                      | 3.17 or newer, or 4.1 or newer                 |
| PostgreSQL                | 15 or newer                                    |
| Gateway API (optional)    | 1.1 or newer, or 1.0 with \`httpRoute.timeouts=false\` |
| Prometheus operator (optional) | any version with \`monitoring.coreos.com/v1\` |

## Install

These commands use one provider account. For several accounts, set \`upstreams\` in place of \`settings.GW_UPSTREAM_BASE_URL\`.

\`\`\`sh
kubectl create namespace gateways
kubectl -n gateways create secret generic inference-gateway \\
  --from-file=DATABASE_URL=database-url --from-file=GW_UPSTREAM_API_KEY=upstream-key \\
  --from-literal=GW_ADMIN_KEY="admin_gw_$(openssl rand -hex 24)" --from-literal=GW_SECRET_KEY="$(openssl rand -base64 32)"
helm -n gateways upgrade --install gateway CHART --set settings.GW_UPSTREAM_BASE_URL=https://openrouter.ai/api/v1
helm -n gateways test gateway
\`\`\`

- Helm validates all values before it changes anything.
- After a failed installation, run \`helm upgrade --install\` again. \`kubectl -n gateways logs job/gateway-inference-gateway-migrate\`
  shows why a migration failed.
- \`helm uninstall gateway\` removes everything except the Secret and the database.

## Values

${valuesTable}`;
