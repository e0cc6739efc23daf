const provider = { GW_UPSTREAM_BASE_URL: 'https://provider.example/v1' };
const settings = (more) => ({ settings: { ...provider, ...more } });

export const refusals = [
  { values: {}, because: /GW_UPSTREAM_BASE_URL/ },
  { values: settings({ GW_LOG_SAMPLERATE: 0.1 }), because: /GW_LOG_SAMPLERATE/ },
  { values: settings({ GW_LOG_SAMPLE_RATE: 1.1 }), because: /GW_LOG_SAMPLE_RATE/ },
  { values: settings({ GW_UPSTREAM_BASE_URL: 'provider.example' }), because: /GW_UPSTREAM_BASE_URL/ },
  // Everyone who can read the release can read its settings, so secrets are rejected there.
  { values: settings({ GW_ADMIN_KEY: 'admin_gw_0123456789abcdef0123456789abcdef' }), because: /GW_ADMIN_KEY/ },
  { values: settings({ DATABASE_URL: 'postgres://gateway@db/gateway' }), because: /DATABASE_URL/ },
  { values: settings({ PORT: 9000 }), because: /PORT/ },
  { values: { ...settings({}), replicas: 3 }, because: /replicas/ },
  { values: { ...settings({}), ingress: { enabled: true } }, because: /hosts/ },
  { values: { ...settings({}), httpRoute: { enabled: true } }, because: /parentRefs/ },
  { values: { ...settings({}), serviceMonitor: { enabled: true }, metrics: { enabled: false } }, because: /metrics/ },
];
