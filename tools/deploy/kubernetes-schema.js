import { join } from 'node:path';
import ts from 'typescript';
import { KUBERNETES_RULES } from './kubernetes-rules.data.js';

const FILE = join(import.meta.dirname, 'kubernetes-types.ts');
const CORE = 'kubernetes-models/v1';
const NETWORKING = 'kubernetes-models/networking.k8s.io/v1';
const AUTOSCALING = 'kubernetes-models/autoscaling/v2';
const ROUTES = '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1';
/** Parts of manifests that users write in the chart's values. */
const ROOTS = [
  ['Affinity', CORE],
  ['Container', CORE],
  ['EnvVar', CORE],
  ['HostAlias', CORE],
  ['LocalObjectReference', CORE],
  ['PodDNSConfig', CORE],
  ['PodSecurityContext', CORE],
  ['ResourceRequirements', CORE],
  ['SecurityContext', CORE],
  ['Toleration', CORE],
  ['TopologySpreadConstraint', CORE],
  ['Volume', CORE],
  ['VolumeMount', CORE],
  ['IngressTLS', NETWORKING],
  ['NetworkPolicyEgressRule', NETWORKING],
  ['NetworkPolicyPeer', NETWORKING],
  ['HorizontalPodAutoscalerBehavior', AUTOSCALING],
  ['MetricSpec', AUTOSCALING],
  ['ParentReference', ROUTES],
];
const QUANTITY = {
  type: ['number', 'string'],
  minimum: 0,
  pattern: '^\\+?(\\d+(\\.\\d*)?|\\.\\d+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?\\d+)?$',
};

/**
 * Builds JSON schemas from the types of the Kubernetes API, by name. Unknown fields are rejected, because the API server drops or
 * rejects them: without a misspelled peer, a NetworkPolicy would allow everyone.
 */
export function kubernetesSchemas() {
  const lines = ROOTS.map(([name, module]) => `export type { I${name} } from '${module}';`);
  const options = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, strict: true };
  const host = ts.createCompilerHost({ ...options, types: [] });
  const { getSourceFile, fileExists } = host;
  const source = ts.createSourceFile(FILE, lines.join('\n'), ts.ScriptTarget.ES2022);
  host.getSourceFile = (name, ...rest) => (name === FILE ? source : getSourceFile.call(host, name, ...rest));
  host.fileExists = (name) => name === FILE || fileExists.call(host, name);
  const program = ts.createProgram({ rootNames: [FILE], options: { ...options, types: [] }, host });
  const checker = program.getTypeChecker();
  const found = {};
  for (const symbol of checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(FILE))))
    schemaOf(checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(symbol)), checker, found);
  const unknown = Object.keys(KUBERNETES_RULES).filter((name) => !(name in found));
  if (unknown.length > 0)
    throw new Error(`kubernetes-rules.data.js names types that no value has: ${unknown.join(', ')}`);
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function schemaOf(type, checker, found) {
  if (type.aliasSymbol?.name.endsWith('Quantity')) return QUANTITY;
  if (type.isUnion()) return unionOf(type.types, checker, found);
  if (type.flags & ts.TypeFlags.String) return { type: 'string' };
  if (type.flags & ts.TypeFlags.Number) return { type: 'integer' };
  if (type.flags & ts.TypeFlags.Boolean) return { type: 'boolean' };
  if (type.isStringLiteral()) return { enum: [type.value] };
  if (checker.isArrayType(type))
    return { type: 'array', items: schemaOf(checker.getTypeArguments(type)[0], checker, found) };
  const values = type.getStringIndexType();
  if (values !== undefined) return { type: 'object', additionalProperties: schemaOf(values, checker, found) };
  return namedObject(type, checker, found);
}

function unionOf(types, checker, found) {
  const parts = types.filter((type) => !(type.flags & ts.TypeFlags.Undefined));
  if (parts.every((type) => type.isStringLiteral())) return { enum: parts.map(({ value }) => value).sort() };
  if (parts.every((type) => type.flags & ts.TypeFlags.BooleanLike)) return { type: 'boolean' };
  if (parts.length === 1) return schemaOf(parts[0], checker, found);
  return { type: parts.map((type) => schemaOf(type, checker, found).type).sort() };
}

function namedObject(type, checker, found) {
  const symbol = type.aliasSymbol ?? type.symbol;
  const name = symbol.name.replace(/^I(?=[A-Z])/, '');
  if (!(name in found)) {
    // Set before its properties are read, because a type can contain itself.
    found[name] = {};
    const properties = checker.getPropertiesOfType(type);
    const required = properties.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional)).map(({ name: key }) => key);
    const schemas = properties.map((property) => [
      property.name,
      schemaOf(checker.getNonNullableType(checker.getTypeOfSymbol(property)), checker, found),
    ]);
    const { properties: stricter = {}, ...rules } = KUBERNETES_RULES[name] ?? {};
    found[name] = {
      type: 'object',
      additionalProperties: false,
      ...(required.length > 0 && { required }),
      ...rules,
      properties: { ...Object.fromEntries(schemas), ...stricter },
    };
  }
  return { $ref: `#/$defs/${name}` };
}
