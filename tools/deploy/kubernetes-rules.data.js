/**
 * Rules of the API server that its published types do not express, by type. The API server checks them only after the migration
 * has run, so the chart checks them first.
 */
const NAME = { type: 'string', maxLength: 253, pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$' };
const LABEL_NAME = { type: 'string', maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' };
const HOST = {
  type: 'string',
  maxLength: 253,
  pattern: '^(\\*\\.)?[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$',
};
const LABEL_KEY = {
  type: 'string',
  maxLength: 317,
  pattern: '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$',
};
const LABEL_VALUE = { type: 'string', maxLength: 63, pattern: '^$|^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$' };
const OCTET = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const CIDR = {
  type: 'string',
  pattern: `^(${OCTET}\\.){3}${OCTET}/(3[0-2]|[12]?\\d)$|^[0-9a-fA-F:]*:[0-9a-fA-F:.]*/(12[0-8]|1[01]\\d|[1-9]?\\d)$`,
};
const PORT = { type: 'integer', minimum: 1, maximum: 65535 };
const PORT_NAME = '^[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?$';
const PORT_OR_NAME = { type: ['integer', 'string'], minimum: 1, maximum: 65535, pattern: PORT_NAME };
const WEIGHT = { type: 'integer', minimum: 1, maximum: 100 };
const HONOR = { enum: ['Honor', 'Ignore'] };

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
    properties: { name: LABEL_NAME, image: { type: 'string', pattern: '^\\S+$' } },
  },
  ContainerPort: { properties: { containerPort: PORT, hostPort: PORT } },
  EnvVar: {
    not: { required: ['value', 'valueFrom'] },
    properties: {
      name: { type: 'string', pattern: '^[^=\\s]+$' },
    },
  },
  EnvVarSource: { minProperties: 1, maxProperties: 1 },
  LabelSelector: {
    properties: { matchLabels: { type: 'object', propertyNames: LABEL_KEY, additionalProperties: LABEL_VALUE } },
  },
  LabelSelectorRequirement: {
    ...operators(['In', 'NotIn'], ['Exists', 'DoesNotExist']),
    properties: { key: LABEL_KEY, values: { type: 'array', items: LABEL_VALUE } },
  },
  NodeSelectorRequirement: {
    ...operators(['In', 'NotIn', 'Gt', 'Lt'], ['Exists', 'DoesNotExist']),
    properties: { key: LABEL_KEY },
  },
  NodeSelector: {
    properties: {
      nodeSelectorTerms: { type: 'array', minItems: 1, items: { $ref: '#/$defs/NodeSelectorTerm' } },
    },
  },
  PreferredSchedulingTerm: { properties: { weight: WEIGHT } },
  WeightedPodAffinityTerm: { properties: { weight: WEIGHT } },
  PodAffinityTerm: { properties: { topologyKey: LABEL_KEY } },
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
        anyOf: [
          { properties: { value: { maxLength: 0 } } },
          { properties: { operator: { enum: ['Equal', 'Gt', 'Lt'] } } },
        ],
      },
      {
        anyOf: [
          { properties: { tolerationSeconds: false } },
          { required: ['effect'], properties: { effect: { enum: ['NoExecute'] } } },
        ],
      },
    ],
    properties: { key: { type: 'string', pattern: `^$|${LABEL_KEY.pattern}` }, value: LABEL_VALUE },
  },
  // A name, and at most one source. Without a source, it is an empty directory.
  Volume: { maxProperties: 2, properties: { name: LABEL_NAME } },
  VolumeMount: { properties: { name: LABEL_NAME, mountPath: { type: 'string', pattern: '^[^:]+$' } } },
  SecretVolumeSource: { properties: { secretName: NAME } },
  ConfigMapVolumeSource: named(),
  SecretProjection: named(),
  ConfigMapProjection: named(),
  SecretKeySelector: named({ key: { type: 'string', pattern: '^[-._a-zA-Z0-9]{1,253}$' } }),
  ConfigMapKeySelector: named({ key: { type: 'string', pattern: '^[-._a-zA-Z0-9]{1,253}$' } }),
  SecretEnvSource: named(),
  ConfigMapEnvSource: named(),
  LocalObjectReference: named(),
  HostAlias: { required: ['ip', 'hostnames'], properties: { hostnames: { type: 'array', minItems: 1, items: HOST } } },
  PodDNSConfig: { properties: { nameservers: { type: 'array', maxItems: 3, items: { type: 'string' } } } },
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
  MetricTarget: fieldByType({ Utilization: 'averageUtilization', AverageValue: 'averageValue', Value: 'value' }),
};
