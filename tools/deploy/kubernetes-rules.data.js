/**
 * Rules of the API server that its published types do not express, by type. The API server checks them only after the migration
 * has run, so the chart checks them first.
 */
const SUBDOMAIN = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const NAME = { type: 'string', maxLength: 253, pattern: `^${SUBDOMAIN}$` };
const LABEL_NAME = { type: 'string', maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' };
const LABELS = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*';
const HOST = { type: 'string', maxLength: 253, pattern: `^(\\*\\.)?${LABELS}$` };
const QUALIFIED = `(${SUBDOMAIN}/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?`;
const LABEL_KEY = { type: 'string', maxLength: 317, pattern: `^${QUALIFIED}$` };
const LABEL_VALUE = { type: 'string', maxLength: 63, pattern: '^$|^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$' };
const KEY = { type: 'string', pattern: '^[-._a-zA-Z0-9]{1,253}$', not: { pattern: '^\\.(\\.|$)' } };
const OCTET = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = `(${OCTET}\\.){3}${OCTET}`;
const GROUP = '[0-9a-fA-F]{1,4}';
/** `::` can replace one or more groups of zeros at any position. */
const IPV6 = [
  `(${GROUP}:){7}${GROUP}`,
  `(${GROUP}:){1,7}:`,
  ...[1, 2, 3, 4, 5, 6].map((after) => `(${GROUP}:){1,${7 - after}}(:${GROUP}){1,${after}}`),
  `:(:${GROUP}){1,7}`,
  '::',
  `::${IPV4}`,
].join('|');
const ADDRESS = { type: 'string', pattern: `^(${IPV4}|${IPV6})$` };
const CIDR = {
  type: 'string',
  pattern: `^${IPV4}/(3[0-2]|[12]?\\d)$|^(${IPV6})/(12[0-8]|1[01]\\d|[1-9]?\\d)$`,
  // Kubernetes rejects IPv4 addresses that are written as IPv6 addresses.
  not: { pattern: `^(::|(0{1,4}:){5})[fF]{4}:${GROUP}:${GROUP}/` },
};
const SEARCH = '^[a-z0-9_]([-_a-z0-9]*[a-z0-9_])?(\\.[a-z0-9_]([-_a-z0-9]*[a-z0-9_])?)*\\.?$';
const PORT = { type: 'integer', minimum: 1, maximum: 65535 };
const PORT_NAME = {
  maxLength: 15,
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  not: { type: 'string', pattern: '^[-0-9]*$' },
};
const PORT_OR_NAME = { type: ['integer', 'string'], minimum: 1, maximum: 65535, ...PORT_NAME };
const WEIGHT = { type: 'integer', minimum: 1, maximum: 100 };
const HONOR = { enum: ['Honor', 'Ignore'] };
const FILLED = { type: 'string', minLength: 1 };
const COUNT = { type: 'integer', minimum: 0 };
/** A user or a group. */
const ID = { type: 'integer', minimum: 0, maximum: 2147483647 };
const MODE = { type: 'integer', minimum: 0, maximum: 0o777 };
const LEAVES_FOLDER = '(^|/)\\.\\.(/|$)';
const RELATIVE_PATH = { type: 'string', pattern: '^([^/]|$)', not: { pattern: LEAVES_FOLDER } };
const FILE_PATH = { type: 'string', pattern: '^[^/]', not: { pattern: `${LEAVES_FOLDER}|^\\.\\.` } };
/** One segment of a URL path. */
const SEGMENT = { type: 'string', pattern: '^[^/%]+$', not: { enum: ['.', '..'] } };
const POSITIVE = {
  exclusiveMinimum: 0,
  not: { type: 'string', pattern: '^\\+?0*\\.?0*([numkMGTPE]|[KMGTPE]i|[eE][+-]?\\d+)?$' },
};
const RESOURCE_NAMES = { propertyNames: { pattern: `^(cpu|memory|ephemeral-storage|hugepages-.+|${SUBDOMAIN}/.+)$` } };

const named = (more = {}) => ({ properties: { name: NAME, ...more } });
/** Only the field that belongs to the type is allowed, and it is required. */
const fieldByType = (fields) => ({
  oneOf: Object.entries(fields).map(([type, field]) => ({
    properties: {
      type: { enum: [type] },
      ...Object.fromEntries(
        Object.values(fields)
          .filter((other) => other !== field)
          .map((other) => [other, false]),
      ),
    },
    required: [field],
  })),
});
const exactlyOne = (...fields) => ({ oneOf: fields.map((field) => ({ required: [field] })) });
const target = (...types) => ({
  allOf: [{ $ref: '#/$defs/MetricTarget' }, { properties: { type: { enum: types } } }],
});
/** Only a `Localhost` profile has a path. */
const profile = (path) => ({
  oneOf: [
    { properties: { type: { enum: ['Localhost'] }, localhostProfile: path }, required: ['localhostProfile'] },
    { properties: { type: { enum: ['RuntimeDefault', 'Unconfined'] }, localhostProfile: false } },
  ],
});
/** Some operators take values, and the others take none. */
const operators = (withValues, without) => ({
  oneOf: [
    { properties: { operator: { enum: withValues }, values: { minItems: 1 } }, required: ['values'] },
    { properties: { operator: { enum: without }, values: { maxItems: 0 } } },
  ],
});

export const KUBERNETES_RULES = {
  Container: {
    required: ['name', 'image'],
    properties: {
      name: LABEL_NAME,
      image: { type: 'string', pattern: '^\\S+$' },
      restartPolicy: { enum: ['Always', 'Never', 'OnFailure'] },
    },
    allOf: [
      {
        properties: {
          livenessProbe: { properties: { successThreshold: { maximum: 1 } } },
          startupProbe: { properties: { successThreshold: { maximum: 1 } } },
          readinessProbe: { properties: { terminationGracePeriodSeconds: false } },
        },
      },
    ],
  },
  ContainerPort: { properties: { name: { type: 'string', ...PORT_NAME }, containerPort: PORT, hostPort: PORT } },
  ContainerResizePolicy: { properties: { resourceName: { enum: ['cpu', 'memory'] } } },
  Probe: {
    ...exactlyOne('exec', 'httpGet', 'tcpSocket', 'grpc'),
    properties: {
      failureThreshold: COUNT,
      initialDelaySeconds: COUNT,
      periodSeconds: COUNT,
      successThreshold: COUNT,
      timeoutSeconds: COUNT,
    },
  },
  LifecycleHandler: exactlyOne('exec', 'httpGet', 'tcpSocket', 'sleep'),
  SleepAction: { properties: { seconds: COUNT } },
  ExecAction: {
    required: ['command'],
    properties: { command: { type: 'array', minItems: 1, items: { type: 'string' } } },
  },
  TCPSocketAction: { properties: { port: PORT_OR_NAME } },
  HTTPGetAction: { properties: { port: PORT_OR_NAME } },
  GRPCAction: { properties: { port: PORT } },
  HTTPHeader: { properties: { name: { type: 'string', pattern: '^[-A-Za-z0-9]+$' } } },
  EnvFromSource: {
    ...exactlyOne('configMapRef', 'secretRef'),
    properties: { prefix: { type: 'string', pattern: '^[ -<>-~]*$' } },
  },
  ResourceRequirements: {
    // The chart's pods have no resource claims.
    properties: { claims: false },
    allOf: [{ properties: { limits: RESOURCE_NAMES, requests: RESOURCE_NAMES } }],
  },
  SeccompProfile: profile(RELATIVE_PATH),
  AppArmorProfile: profile({ type: 'string', pattern: '^\\S(.*\\S)?$' }),
  PodSecurityContext: {
    properties: { runAsUser: ID, runAsGroup: ID, fsGroup: ID, supplementalGroups: { type: 'array', items: ID } },
  },
  SecurityContext: {
    not: {
      properties: { privileged: { const: true }, allowPrivilegeEscalation: { const: false } },
      required: ['privileged', 'allowPrivilegeEscalation'],
    },
    properties: { runAsUser: ID, runAsGroup: ID },
  },
  Sysctl: {
    properties: {
      name: {
        type: 'string',
        maxLength: 253,
        pattern: '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
      },
    },
  },
  EnvVar: {
    not: { required: ['value', 'valueFrom'] },
    properties: {
      name: { type: 'string', pattern: '^[!-<>-~]+$', not: { pattern: '^\\.(\\.|$)' } },
    },
  },
  EnvVarSource: { minProperties: 1, maxProperties: 1 },
  ObjectFieldSelector: {
    properties: {
      apiVersion: { enum: ['v1'] },
      fieldPath: {
        type: 'string',
        pattern: `^(metadata\\.(name|namespace|uid|labels|annotations)|metadata\\.(labels|annotations)\\['${QUALIFIED}'\\]|spec\\.(nodeName|serviceAccountName)|status\\.(hostIPs?|podIPs?))$`,
      },
    },
  },
  ResourceFieldSelector: {
    properties: {
      resource: { type: 'string', pattern: '^(limits|requests)\\.(cpu|memory|ephemeral-storage|hugepages-.+)$' },
    },
  },
  LabelSelector: {
    properties: { matchLabels: { type: 'object', propertyNames: LABEL_KEY, additionalProperties: LABEL_VALUE } },
  },
  LabelSelectorRequirement: {
    ...operators(['In', 'NotIn'], ['Exists', 'DoesNotExist']),
    properties: { key: LABEL_KEY, values: { type: 'array', items: LABEL_VALUE } },
  },
  NodeSelectorRequirement: {
    ...operators(['In', 'NotIn', 'Gt', 'Lt'], ['Exists', 'DoesNotExist']),
    allOf: [
      {
        anyOf: [
          { properties: { operator: { enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'] } } },
          { properties: { values: { maxItems: 1 } } },
        ],
      },
    ],
    properties: { key: LABEL_KEY, values: { type: 'array', items: LABEL_VALUE } },
  },
  NodeSelectorTerm: {
    properties: {
      matchFields: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['key', 'operator', 'values'],
          properties: {
            key: { enum: ['metadata.name'] },
            operator: { enum: ['In', 'NotIn'] },
            values: { type: 'array', minItems: 1, maxItems: 1, items: NAME },
          },
        },
      },
    },
  },
  NodeSelector: {
    properties: {
      nodeSelectorTerms: { type: 'array', minItems: 1, items: { $ref: '#/$defs/NodeSelectorTerm' } },
    },
  },
  PreferredSchedulingTerm: { properties: { weight: WEIGHT } },
  WeightedPodAffinityTerm: { properties: { weight: WEIGHT } },
  PodAffinityTerm: {
    dependencies: { matchLabelKeys: ['labelSelector'], mismatchLabelKeys: ['labelSelector'] },
    properties: { topologyKey: LABEL_KEY, namespaces: { type: 'array', items: LABEL_NAME } },
  },
  TopologySpreadConstraint: {
    // Only a constraint that can keep a pod from being scheduled has a minimum of domains.
    anyOf: [{ properties: { whenUnsatisfiable: { enum: ['DoNotSchedule'] } } }, { properties: { minDomains: false } }],
    properties: {
      topologyKey: LABEL_KEY,
      maxSkew: { type: 'integer', minimum: 1 },
      minDomains: { type: 'integer', minimum: 1 },
      whenUnsatisfiable: { enum: ['DoNotSchedule', 'ScheduleAnyway'] },
      nodeAffinityPolicy: HONOR,
      nodeTaintsPolicy: HONOR,
    },
  },
  Toleration: {
    allOf: [
      {
        anyOf: [
          { required: ['key'], properties: { key: { minLength: 1 } } },
          { required: ['operator'], properties: { operator: { enum: ['Exists'] } } },
        ],
      },
      {
        anyOf: [{ properties: { value: { maxLength: 0 } } }, { properties: { operator: { enum: ['Equal'] } } }],
      },
      {
        anyOf: [
          { properties: { tolerationSeconds: false } },
          { required: ['effect'], properties: { effect: { enum: ['NoExecute'] } } },
        ],
      },
    ],
    properties: {
      key: { type: 'string', pattern: `^$|${LABEL_KEY.pattern}` },
      // Clusters accept Gt and Lt only behind a feature gate.
      operator: { enum: ['Equal', 'Exists'] },
      value: LABEL_VALUE,
    },
  },
  // A name, and at most one source. Without a source, it is an empty directory.
  Volume: { maxProperties: 2, properties: { name: LABEL_NAME } },
  VolumeMount: {
    not: { required: ['subPath', 'subPathExpr'] },
    anyOf: [
      { properties: { recursiveReadOnly: { enum: ['Disabled'] } } },
      { required: ['readOnly'], properties: { readOnly: { const: true } } },
    ],
    properties: {
      name: LABEL_NAME,
      mountPath: { type: 'string', pattern: '^[^:]+$' },
      subPath: RELATIVE_PATH,
      subPathExpr: RELATIVE_PATH,
      recursiveReadOnly: { enum: ['Disabled', 'Enabled', 'IfPossible'] },
    },
  },
  SecretVolumeSource: { required: ['secretName'], properties: { secretName: NAME, defaultMode: MODE } },
  ConfigMapVolumeSource: { required: ['name'], ...named({ defaultMode: MODE }) },
  ProjectedVolumeSource: { properties: { defaultMode: MODE } },
  DownwardAPIVolumeSource: { properties: { defaultMode: MODE } },
  VolumeProjection: { maxProperties: 1 },
  SecretProjection: { required: ['name'], ...named() },
  ConfigMapProjection: { required: ['name'], ...named() },
  KeyToPath: { properties: { key: KEY, path: FILE_PATH, mode: MODE } },
  ServiceAccountTokenProjection: {
    properties: { path: FILE_PATH, expirationSeconds: { type: 'integer', minimum: 600 } },
  },
  DownwardAPIVolumeFile: { ...exactlyOne('fieldRef', 'resourceFieldRef'), properties: { path: FILE_PATH, mode: MODE } },
  HostPathVolumeSource: { properties: { path: { ...FILLED, not: { pattern: LEAVES_FOLDER } } } },
  PersistentVolumeClaimVolumeSource: { properties: { claimName: NAME } },
  CSIVolumeSource: { properties: { driver: { ...NAME, maxLength: 63 } } },
  NFSVolumeSource: { properties: { server: FILLED, path: { type: 'string', pattern: '^/' } } },
  EphemeralVolumeSource: { required: ['volumeClaimTemplate'] },
  SecretKeySelector: named({ key: KEY }),
  ConfigMapKeySelector: named({ key: KEY }),
  SecretEnvSource: named(),
  ConfigMapEnvSource: named(),
  LocalObjectReference: named(),
  HostAlias: {
    required: ['ip', 'hostnames'],
    properties: {
      ip: ADDRESS,
      hostnames: { type: 'array', minItems: 1, items: { type: 'string', maxLength: 253, pattern: `^${LABELS}$` } },
    },
  },
  PodDNSConfig: {
    properties: {
      nameservers: { type: 'array', maxItems: 3, items: ADDRESS },
      searches: { type: 'array', maxItems: 32, items: { type: 'string', maxLength: 253, pattern: SEARCH } },
    },
  },
  PodDNSConfigOption: { required: ['name'], properties: { name: FILLED } },
  IngressTLS: { properties: { hosts: { type: 'array', items: HOST }, secretName: NAME } },
  // An address block selects addresses, and a selector selects pods. One peer cannot be both.
  NetworkPolicyPeer: { minProperties: 1, anyOf: [{ properties: { ipBlock: false } }, { maxProperties: 1 }] },
  IPBlock: { properties: { cidr: CIDR, except: { type: 'array', items: CIDR } } },
  NetworkPolicyPort: {
    minProperties: 1,
    anyOf: [{ properties: { endPort: false } }, { required: ['port'], properties: { port: { type: 'integer' } } }],
    properties: { port: PORT_OR_NAME, endPort: PORT },
  },
  HPAScalingRules: {
    properties: {
      selectPolicy: { enum: ['Max', 'Min', 'Disabled'] },
      stabilizationWindowSeconds: { type: 'integer', minimum: 0, maximum: 3600 },
      policies: { type: 'array', minItems: 1, items: { $ref: '#/$defs/HPAScalingPolicy' } },
    },
  },
  HPAScalingPolicy: {
    properties: {
      type: { enum: ['Pods', 'Percent'] },
      value: { type: 'integer', minimum: 1 },
      periodSeconds: { type: 'integer', minimum: 1, maximum: 1800 },
    },
  },
  MetricSpec: fieldByType({
    Resource: 'resource',
    ContainerResource: 'containerResource',
    Pods: 'pods',
    Object: 'object',
    External: 'external',
  }),
  MetricTarget: {
    ...fieldByType({ Utilization: 'averageUtilization', AverageValue: 'averageValue', Value: 'value' }),
    allOf: [{ properties: { averageUtilization: { minimum: 1 }, averageValue: POSITIVE, value: POSITIVE } }],
  },
  MetricIdentifier: { properties: { name: SEGMENT } },
  CrossVersionObjectReference: { properties: { kind: SEGMENT, name: SEGMENT } },
  ResourceMetricSource: { properties: { name: FILLED, target: target('Utilization', 'AverageValue') } },
  ContainerResourceMetricSource: { properties: { name: FILLED, target: target('Utilization', 'AverageValue') } },
  PodsMetricSource: { properties: { target: target('AverageValue') } },
  ObjectMetricSource: { properties: { target: target('Value', 'AverageValue') } },
  ExternalMetricSource: { properties: { target: target('Value', 'AverageValue') } },
};
