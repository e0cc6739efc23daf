const provider = { GW_UPSTREAM_BASE_URL: 'https://provider.example/v1' };
const settings = (more) => ({ settings: { ...provider, ...more } });
const values = (more) => ({ ...settings({}), ...more });
const mapped = (keys, more) => ({ ...settings(more), secret: { keys } });
const app = (key) => ({ name: 'my-db-app', key });
const account = (more) => ({ name: 'openai', base_url: 'https://api.openai.com/v1', ...more });
const upstreams = (more, others) => ({ upstreams: { file: { upstreams: [account(more)] }, ...others } });
const policy = (more) => values({ networkPolicy: more });
const peer = (one) => policy({ from: [one] });
const scaling = (more) => values({ autoscaling: more });
const spread = (more) => values({ topologySpreadConstraints: [{ ...SPREAD, ...more }] });
const SPREAD = { topologyKey: 'zone', maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway' };
const labelled = (operator, more) => peer({ podSelector: { matchExpressions: [{ key: 'a', operator, ...more }] } });
const pods = (target) => ({ type: 'Pods', pods: { metric: { name: 'a' }, target } });
const container = (more) => values({ extraContainers: [{ name: 'a', image: 'a', ...more }] });
const required = (terms) => ({ requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } });

/** Values that Helm must reject before it changes anything, with a pattern that its error must match. */
export const rejectedValues = [
  { values: {}, because: /settings\.GW_UPSTREAM_BASE_URL is required/ },
  { values: settings({ GW_LOG_SAMPLERATE: 0.1 }), because: /GW_LOG_SAMPLERATE/ },
  { values: settings({ GW_LOG_SAMPLE_RATE: 1.1 }), because: /GW_LOG_SAMPLE_RATE/ },
  { values: settings({ GW_LOG_SAMPLE_RATE: '1.1' }), because: /GW_LOG_SAMPLE_RATE is 1\.1\. Use a number from 0 to 1/ },
  { values: settings({ GW_LOG_SAMPLE_RATE: 'half' }), because: /GW_LOG_SAMPLE_RATE/ },
  { values: settings({ GW_WORKERS: '300' }), because: /GW_WORKERS is 300\. Use a number from 1 to 256/ },
  { values: settings({ GW_WORKERS: 'many' }), because: /GW_WORKERS/ },
  { values: settings({ GW_UPSTREAM_BASE_URL: 'provider.example' }), because: /GW_UPSTREAM_BASE_URL/ },
  { values: settings({ GW_UPSTREAM_BASE_URL: null }), because: /GW_UPSTREAM_BASE_URL is required/ },
  // Everyone who can read the release can read its settings, so secrets are rejected there.
  { values: settings({ GW_ADMIN_KEY: 'admin_gw_0123456789abcdef0123456789abcdef' }), because: /GW_ADMIN_KEY/ },
  { values: settings({ DATABASE_URL: 'postgres://gateway@db/gateway' }), because: /DATABASE_URL/ },
  { values: settings({ PORT: 9000 }), because: /PORT/ },
  { values: values({ replicas: 3 }), because: /replicas/ },

  { values: values({ image: { repository: 'gateway:1.0.0' } }), because: /repository/ },
  { values: values({ image: { repository: 'gateway@sha256:0' } }), because: /repository/ },
  { values: values({ image: { tag: 'a tag' } }), because: /tag/ },
  { values: values({ image: { tag: 'sha256:0123' } }), because: /tag/ },
  { values: values({ fullnameOverride: 'g'.repeat(41) }), because: /fullnameOverride/ },
  { values: values({}), release: '1gateway', because: /"1gateway-inference-gateway" is invalid for a Service/ },
  { values: values({}), release: 'my.gateway', because: /"my\.gateway-inference-gateway" is invalid for a Service/ },
  { values: values({ secret: { existingSecret: 'My_Secret' } }), because: /existingSecret/ },
  { values: values({ priorityClassName: 'High' }), because: /priorityClassName/ },

  { values: mapped({ GW_ADMIN_KEYS: app('admin') }), because: /GW_ADMIN_KEYS/ },
  { values: mapped({ LOG_LEVEL: app('level') }), because: /LOG_LEVEL/ },
  { values: mapped({ DATABASE_URL: { name: 'my-db-app' } }), because: /DATABASE_URL/ },
  { values: mapped({ DATABASE_URL: { name: 'My_Db', key: 'uri' } }), because: /DATABASE_URL/ },
  { values: mapped({ DATABASE_URL: app('a/b') }), because: /DATABASE_URL/ },
  { values: mapped({ PGHOST: app('host') }), because: /PGHOST is set without PGDATABASE/ },
  { values: settings({ PGDATABASE: 'gateway' }), because: /PGDATABASE has no effect without PGHOST/ },
  {
    values: mapped({ DATABASE_URL: app('uri'), PGHOST: app('host') }, { PGDATABASE: 'gateway' }),
    because: /Both DATABASE_URL and PGHOST are set/,
  },
  {
    values: mapped({ PGUSER: app('username') }, { PGUSER: 'gateway' }),
    because: /variable "PGUSER" is defined twice/,
  },
  { values: values({ secret: { mount: 'file' } }), because: /mount/ },
  {
    values: values({ secret: { mount: 'files' }, extraEnv: [{ name: 'GW_ADMIN_KEY', value: 'x' }] }),
    because: /GW_ADMIN_KEY and GW_ADMIN_KEY_FILE are both set for the gateway container/,
  },
  {
    values: { ...mapped({ GW_ADMIN_KEY: app('admin') }), extraEnv: [{ name: 'GW_ADMIN_KEY_FILE', value: '/key' }] },
    because: /GW_ADMIN_KEY and GW_ADMIN_KEY_FILE are both set for the gateway container/,
  },
  {
    values: values({
      migrations: { existingSecret: 'ddl' },
      extraEnv: [{ name: 'DATABASE_URL_FILE', value: '/url' }],
    }),
    because: /DATABASE_URL and DATABASE_URL_FILE are both set for the migrate container/,
  },
  {
    values: { ...settings({ PGHOST: 'db', PGDATABASE: 'gateway' }), migrations: { existingSecret: 'ddl' } },
    because: /migrations\.existingSecret has no effect/,
  },
  {
    values: values({ migrations: { secretKeys: { GW_ADMIN_KEY: app('admin') } } }),
    because: /GW_ADMIN_KEY/,
  },
  { values: values({ restartOnChange: { reloader: 'auto' } }), because: /reloader/ },

  {
    values: { ...values({}), ...upstreams({}) },
    because: /GW_UPSTREAM_BASE_URL is set, but upstreams replaces the settings of a single account/,
  },
  {
    values: { ...upstreams({}), secret: { keys: { GW_UPSTREAM_API_KEY: app('key') } } },
    because: /GW_UPSTREAM_API_KEY is set, but upstreams replaces/,
  },
  {
    values: { ...upstreams({}), extraEnv: [{ name: 'GW_UPSTREAM_MESSAGES_API_KEY_FILE', value: '/key' }] },
    because: /GW_UPSTREAM_MESSAGES_API_KEY_FILE is set, but upstreams replaces/,
  },
  { values: upstreams({}, { existingConfigMap: 'accounts' }), because: /upstreams\.existingConfigMap are both set/ },
  {
    values: { ...upstreams({}), settings: { GW_UPSTREAMS: '/etc/upstreams.yaml' } },
    because: /variable "GW_UPSTREAMS" is defined twice/,
  },
  { values: values({ upstreams: { existingSecret: 'accounts' } }), because: /have no effect without upstreams/ },
  { values: { upstreams: { file: {} } }, because: /GW_UPSTREAM_BASE_URL is required/ },
  { values: { upstreams: { file: { routes: [] } } }, because: /upstreams/ },
  { values: { upstreams: { file: { upstreams: [] } } }, because: /upstreams/ },
  { values: upstreams({ name: 'Open AI' }), because: /name/ },
  { values: upstreams({ bas_url: 'https://api.openai.com/v1' }), because: /bas_url/ },
  { values: upstreams({ base_url: 'api.openai.com' }), because: /base_url/ },
  { values: upstreams({ region: 'two\nlines' }), because: /region/ },
  { values: upstreams({ region: 'two\u2028lines' }), because: /region/ },
  { values: upstreams({ models: [4] }), because: /models/ },
  { values: upstreams({ proxy: true }), because: /proxy/ },
  { values: upstreams({ proxy: 'http://user:password@proxy.example:3128' }), because: /proxy/ },
  { values: upstreams({ credential: { value: 'sk-secret' } }), because: /credential/ },
  { values: upstreams({ credential: { env: 'KEY', file: 'key' } }), because: /credential/ },
  {
    values: upstreams({ credential: { env: 'OPENAI_API_KEY' } }),
    because: /"openai" in upstreams\.file reads the variable OPENAI_API_KEY, which the pods do not have/,
  },
  {
    values: upstreams({ headers: { 'X-Team': { file: 'team' } } }, { secretKeys: { openai: app('key') } }),
    because: /"openai" in upstreams\.file reads the file team, which no Secret contains/,
  },
  { values: upstreams({ tls: { ca: 'ca.crt' } }), because: /reads the file ca\.crt, which no Secret contains/ },
  { values: upstreams({}, { secretKeys: { 'upstreams.yaml': app('key') } }), because: /upstreams\.yaml/ },
  { values: upstreams({}, { secretKeys: { openai: 'key' } }), because: /secretKeys/ },
  {
    values: { ...upstreams({}), extraVolumes: [{ name: 'upstreams', emptyDir: {} }] },
    because: /volume "upstreams" is defined twice/,
  },

  { values: values({ ingress: { enabled: true } }), because: /hosts/ },
  { values: values({ ingress: { enabled: true, hosts: ['Gateway.example.com'] } }), because: /hosts/ },
  { values: values({ ingress: { enabled: true, hosts: ['a.example', 'a.example'] } }), because: /hosts/ },
  { values: values({ ingress: { tls: [{ secret: 'tls' }] } }), because: /secret/ },
  { values: values({ httpRoute: { enabled: true } }), because: /parentRefs/ },
  { values: values({ httpRoute: { parentRefs: [{ gateway: 'public' }] } }), because: /gateway/ },
  { values: values({ httpRoute: { hostnames: ['AI.example.com'] } }), because: /hostnames/ },
  { values: values({ service: { ipFamilies: ['IPv4', 'IPv6'] } }), because: /ipFamilyPolicy/ },

  // Kubernetes would drop the misspelled field, and the remaining peer would match everyone.
  { values: policy({ from: [{ namespaceSelektor: { matchLabels: { a: 'b' } } }] }), because: /namespaceSelektor/ },
  { values: policy({ from: [{ namespaceSelector: { matchLabel: { a: 'b' } } }] }), because: /matchLabel/ },
  { values: policy({ from: [{}] }), because: /from/ },
  { values: policy({ from: [{ ipBlock: { cidr: '10.0.0.0' } }] }), because: /cidr/ },
  { values: policy({ metricsFrom: [{ podSelector: {}, namespace: 'x' }] }), because: /namespace/ },
  { values: policy({ restrictEgress: true, egress: [{ to: [{ cidr: '10.0.0.0/8' }] }] }), because: /cidr/ },
  { values: policy({ egress: [{ ports: [{ port: 443 }] }] }), because: /restrictEgress/ },

  { values: peer({ ipBlock: { cidr: '10.0.0.0/33' } }), because: /cidr/ },
  { values: peer({ ipBlock: { cidr: '10.0.0.300/8' } }), because: /cidr/ },
  { values: peer({ ipBlock: { cidr: 'fd00::/129' } }), because: /cidr/ },
  { values: peer({ ipBlock: { cidr: '10.0.0.1/8' } }), because: /10\.0\.0\.1\/8 has bits below its prefix/ },
  { values: peer({ ipBlock: { cidr: 'fd00::1/64' } }), because: /fd00::1\/64 has bits below its prefix/ },
  {
    values: peer({ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }),
    because: /11\.0\.0\.0\/16 is not a part of the range 10\.0\.0\.0\/8/,
  },
  { values: peer({ ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.0/8'] } }), because: /not a part/ },
  { values: peer({ ipBlock: { cidr: '10.0.0.0/8', except: ['fd00::/16'] } }), because: /not a part/ },
  { values: peer({ ipBlock: { cidr: '10.0.0.0/8' }, podSelector: {} }), because: /from/ },
  { values: labelled('in', { values: ['b'] }), because: /operator/ },
  { values: labelled('In'), because: /values/ },
  { values: labelled('Exists', { values: ['b'] }), because: /values/ },
  { values: peer({ podSelector: { matchLabels: { a: 'no label' } } }), because: /a/ },
  {
    values: policy({ restrictEgress: true, egress: [{ ports: [{ port: 70_000 }] }] }),
    because: /port/,
  },
  {
    values: policy({ restrictEgress: true, egress: [{ ports: [{ port: 'https', endPort: 500 }] }] }),
    because: /port/,
  },
  { values: values({ service: { loadBalancerSourceRanges: ['10.0.0.0/8'] } }), because: /type=LoadBalancer/ },
  {
    values: values({ service: { type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.9/8'] } }),
    because: /10\.0\.0\.9\/8 has bits below/,
  },

  { values: scaling({ metrics: [{ type: 'resource', resource: { name: 'cpu' } }] }), because: /metrics/ },
  { values: scaling({ metrics: [{ type: 'Pods' }] }), because: /pods/ },
  { values: scaling({ behavior: { scaleUp: { stabilizationWindowSeconds: 5000 } } }), because: /stabilizationWindow/ },
  { values: scaling({ behavior: { scaleUp: { selectPolicy: 'Most' } } }), because: /selectPolicy/ },
  { values: spread({ minDomains: 2 }), because: /minDomains|whenUnsatisfiable/ },
  { values: spread({ whenUnsatisfiable: 'Never' }), because: /whenUnsatisfiable/ },
  {
    values: values({ topologySpreadConstraints: [SPREAD, { ...SPREAD, maxSkew: 2 }] }),
    because: /two entries for zone with ScheduleAnyway/,
  },
  {
    values: values({
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 101, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
          ],
        },
      },
    }),
    because: /weight/,
  },
  { values: values({ affinity: { nodeAffinity: required([]) } }), because: /nodeSelectorTerms/ },
  { values: values({ tolerations: [{ operator: 'Equal' }] }), because: /tolerations/ },
  { values: values({ tolerations: [{ key: 'a', tolerationSeconds: 5 }] }), because: /tolerationSeconds|effect/ },
  { values: values({ extraContainers: [{ name: 'proxy' }] }), because: /image/ },
  {
    values: values({
      extraContainers: [{ name: 'proxy', image: 'a', volumeMounts: [{ name: 'ca', mountPath: '/ca' }] }],
    }),
    because: /container "proxy" mounts the volume "ca", which does not exist/,
  },
  { values: values({ extraVolumes: [{ name: 'ca', secret: {}, emptyDir: {} }] }), because: /extraVolumes/ },
  { values: values({ extraVolumes: [{ name: 'ca', secret: { secretName: 'My_Secret' } }] }), because: /secretName/ },
  { values: values({ imagePullSecrets: [{ name: 'My_Secret' }] }), because: /name/ },
  {
    values: values({ extraEnv: [{ name: 'A', value: 'b', valueFrom: { fieldRef: { fieldPath: 'c' } } }] }),
    because: /extraEnv/,
  },
  {
    values: values({ ingress: { enabled: true, hosts: ['a.example'], tls: [{ hosts: ['A.example'] }] } }),
    because: /tls/,
  },
  { values: values({ ingress: { paths: ['/a//b'] } }), because: /paths/ },
  { values: values({ httpRoute: { paths: ['/a/../b'] } }), because: /paths/ },
  { values: values({ hostAliases: [{ ip: '10.0.0.1' }] }), because: /hostnames/ },
  { values: values({ dnsPolicy: 'Cluster' }), because: /dnsPolicy/ },

  // The API server rejects these too (npm run check:cluster).
  { values: values({ priorityClassName: 'a..b' }), because: /priorityClassName/ },
  { values: values({ podLabels: { 'a..b/c': 'd' } }), because: /a\.\.b/ },
  { values: peer({ ipBlock: { cidr: ':::/0' } }), because: /cidr/ },
  { values: peer({ ipBlock: { cidr: '1:2:3:4:5:6:7/128' } }), because: /cidr/ },
  { values: peer({ ipBlock: { cidr: '::ffff:a00:0/104' } }), because: /cidr/ },
  { values: policy({ restrictEgress: true, egress: [{ ports: [{ port: '8080' }] }] }), because: /port/ },
  {
    values: policy({ restrictEgress: true, egress: [{ ports: [{ port: 2, endPort: 1 }] }] }),
    because: /range from port 2 to 1/,
  },
  { values: scaling({ metrics: [pods({ type: 'Value', value: 1 })] }), because: /target/ },
  { values: scaling({ metrics: [pods({ type: 'AverageValue', averageValue: '0' })] }), because: /averageValue/ },
  { values: values({ tolerations: [{ key: 'a', operator: 'Gt', value: '7' }] }), because: /operator/ },
  { values: values({ extraVolumes: [{ name: 'a', secret: {} }] }), because: /secretName/ },
  {
    values: values({ extraVolumes: [{ name: 'a', configMap: { name: 'b', defaultMode: 512 } }] }),
    because: /defaultMode/,
  },
  { values: container({ livenessProbe: {} }), because: /livenessProbe/ },
  { values: container({ ports: [{ containerPort: 1, name: 'HTTP' }] }), because: /ports/ },
  { values: container({ envFrom: [{}] }), because: /envFrom/ },
  { values: values({ extraVolumeMounts: [{ name: 'tmp', mountPath: '/a', subPath: '../b' }] }), because: /subPath/ },
  { values: values({ podSecurityContext: { seccompProfile: { type: 'Localhost' } } }), because: /localhostProfile/ },
  { values: values({ securityContext: { runAsUser: -1 } }), because: /runAsUser/ },
  { values: values({ tests: { resources: { limits: { unknown: 1 } } } }), because: /unknown/ },
  { values: values({ hostAliases: [{ ip: '10.0.0', hostnames: ['a'] }] }), because: /ip/ },
  { values: values({ dnsPolicy: 'None' }), because: /dnsPolicy=None needs a name server/ },
  { values: values({ ingress: { enabled: true, hosts: ['10.0.0.1'] } }), because: /hosts/ },

  { values: values({ resources: { limit: { memory: '2Gi' } } }), because: /limit/ },
  { values: values({ resources: { limits: { memory: '2 GB' } } }), because: /memory/ },
  {
    values: values({ resources: { requests: { memory: '2Gi' }, limits: { memory: '1.5Gi' } } }),
    because: /resources\.requests\.memory \(2Gi\) is above resources\.limits\.memory \(1\.5Gi\)/,
  },
  {
    values: values({ resources: { requests: { cpu: 1.5 }, limits: { cpu: '1000m' } } }),
    because: /resources\.requests\.cpu \(1\.5\) is above/,
  },
  {
    values: values({ migrations: { resources: { limits: { memory: '64Mi' } } } }),
    because: /migrations\.resources\.requests/,
  },
  { values: values({ resources: { limits: { memory: '1Gi' } } }), because: /resources\.limits\.memory is 1Gi/ },
  { values: settings({ GW_BODY_MEMORY_BYTES: 1073741824 }), because: /GW_BODY_MEMORY_BYTES=1073741824 need 2248Mi/ },
  {
    values: { ...settings({ GW_WORKERS: 'auto' }), resources: { limits: { cpu: 4 } } },
    because: /4 worker\(s\) .* need 4896Mi/,
  },
  { values: settings({ GW_WORKERS: 2 }), because: /2 worker\(s\) .* need 2448Mi/ },
  { values: values({ podSecurityContext: { runAsNonroot: true } }), because: /runAsNonroot/ },
  { values: values({ securityContext: { readOnlyRootFileSystem: true } }), because: /readOnlyRootFileSystem/ },

  { values: values({ extraEnv: [{ name: 'A', Value: 'b' }] }), because: /Value/ },
  { values: values({ extraEnv: [{ name: 'PORT', value: '1' }] }), because: /variable "PORT" is defined twice/ },
  { values: values({ extraEnv: [{ name: 'GW_ADMIN_KEY', value: 'x' }] }), because: /"GW_ADMIN_KEY" is defined twice/ },
  { values: values({ extraEnv: [{ name: 'A' }, { name: 'A' }] }), because: /variable "A" is defined twice/ },
  { values: values({ extraVolumes: [{ name: 'tmp', emptyDir: {} }] }), because: /volume "tmp" is defined twice/ },
  { values: values({ extraVolumes: [{ name: 'ca', configmap: { name: 'ca' } }] }), because: /configmap/ },
  { values: values({ extraVolumeMounts: [{ name: 'ca', mountPath: '/ca' }] }), because: /"ca", which does not exist/ },
  {
    values: values({ extraContainers: [{ name: 'gateway', image: 'a' }] }),
    because: /container "gateway" is defined twice/,
  },
  { values: values({ tolerations: [{ key: 'a', operator: 'exists' }] }), because: /operator/ },
  { values: values({ affinity: { nodeAffinty: {} } }), because: /nodeAffinty/ },
  { values: spread({ labelSelector: { matchLabels: {} } }), because: /labelSelector/ },
  { values: values({ podLabels: { 'app.kubernetes.io/component': 'x' } }), because: /app\.kubernetes\.io\/component/ },
  { values: values({ podLabels: { team: 'a team' } }), because: /podLabels/ },

  {
    values: values({ autoscaling: { minReplicas: 5, maxReplicas: 3 } }),
    because: /minReplicas \(5\) is above autoscaling\.maxReplicas \(3\)/,
  },
  { values: values({ autoscaling: { minReplicas: null } }), because: /minReplicas/ },
  { values: values({ autoscaling: { targetCPUUtilizationPercentage: 0 } }), because: /no metric/ },
  { values: values({ resources: { requests: { cpu: null } } }), because: /needs a CPU request/ },
  { values: values({ autoscaling: { behavior: { scaledown: {} } } }), because: /scaledown/ },
  { values: values({ podDisruptionBudget: { maxUnavailable: 0 } }), because: /maxUnavailable/ },
  {
    values: values({ migrations: { activeDeadlineSeconds: 180 } }),
    because: /activeDeadlineSeconds \(180\) must be above GW_MIGRATION_WAIT_SECONDS \(180\)/,
  },
  {
    values: values({ serviceAccount: { name: 'one' }, migrations: { serviceAccount: { name: 'one' } } }),
    because: /serviceAccount\.name are the same/,
  },

  {
    values: values({ serviceMonitor: { enabled: true }, metrics: { enabled: false } }),
    because: /serviceMonitor needs metrics/,
  },
  {
    values: values({ grafanaDashboard: { enabled: true }, metrics: { enabled: false } }),
    because: /grafanaDashboard needs metrics/,
  },
  {
    values: values({ autoscaling: { targetOpenStreams: 50 }, metrics: { enabled: false } }),
    because: /autoscaling\.targetOpenStreams needs metrics/,
  },
  {
    values: values({ prometheusRule: { enabled: true }, metrics: { enabled: false } }),
    because: /prometheusRule needs metrics/,
  },
  {
    values: values({ prometheusRule: { disabled: ['GatewayBreakerOpn'] } }),
    because: /"GatewayBreakerOpn", which is not an alert/,
  },
];
