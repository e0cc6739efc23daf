import { resolve } from 'node:path';
import ts from 'typescript';

/** A type of an SDK's declarations, reduced to the JSON (or form field) that a client can send for it. */
export type Shape =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'string' | 'number' | 'file' | 'any' }
  | { readonly kind: 'array'; readonly items: Shape }
  | { readonly kind: 'map'; readonly values: Shape }
  | { readonly kind: 'union'; readonly members: readonly Shape[] }
  | ObjectShape;

export interface ObjectShape {
  readonly kind: 'object';
  readonly name: string;
  /** Evaluated on first use, because types refer to themselves. */
  readonly fields: readonly Field[];
}

export interface Field {
  readonly name: string;
  readonly optional: boolean;
  /** The doc comment, which contains the bounds of numbers. */
  readonly doc: string;
  readonly shape: Shape;
}

/** A method of an SDK client, for example `chat.completions.create`. */
export interface SdkMethod {
  readonly name: string;
  readonly parameters: readonly Field[];
  /** The shape of the buffered response, or undefined for helpers that do not return a promise. */
  readonly response: Shape | undefined;
}

const SDKS = {
  openai: { file: 'node_modules/openai/client.d.ts', client: 'OpenAI' },
  anthropic: { file: 'node_modules/@anthropic-ai/sdk/client.d.ts', client: 'Anthropic' },
};
export type Sdk = keyof typeof SDKS;

/** Properties that identify a file, a blob, a response or a stream, regardless of its name. */
const OF_FILES = /^(?:arrayBuffer|blob|__@asyncIterator.*)$/;
const PROMISES = new Set(['APIPromise', 'PagePromise', 'Promise']);
const FILE: Shape = { kind: 'file' };
const ROOT = resolve(import.meta.dirname, '../..');

let program: ts.Program | undefined;
const shapes = new Map<ts.Type, Shape>();

/** Returns every method of the client's resources. Parsing both SDKs takes about two seconds once per process. */
export function sdkMethods(sdk: Sdk): readonly SdkMethod[] {
  return methodsOf(exported(SDKS[sdk].client, SDKS[sdk].file), '', new Set());
}

function sdkMethod(sdk: Sdk, name: string): SdkMethod {
  const method = sdkMethods(sdk).find((one) => one.name === name);
  if (method === undefined) throw new Error(`${sdk} has no method ${name}`);
  return method;
}

/** Returns the body of a method, which is its last parameter of kind object or union. */
export function sdkBody(sdk: Sdk, name: string): Shape {
  const body = sdkMethod(sdk, name).parameters.findLast(({ shape }) => 'fields' in shape || shape.kind === 'union');
  if (body === undefined) throw new Error(`${sdk} ${name} takes no body`);
  return body.shape;
}

function checker(): ts.TypeChecker {
  program ??= ts.createProgram(
    Object.values(SDKS).map(({ file }) => resolve(ROOT, file)),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, strict: true, types: [], skipLibCheck: true },
  );
  return program.getTypeChecker();
}

function exported(name: string, file: string): ts.Type {
  const types = checker();
  const source = program?.getSourceFile(resolve(ROOT, file));
  const module = source && types.getSymbolAtLocation(source);
  const symbol = module && types.tryGetMemberInModuleExports(name, module);
  if (symbol === undefined) throw new Error(`${file} exports no ${name}`);
  return types.getDeclaredTypeOfSymbol(symbol);
}

function methodsOf(type: ts.Type, prefix: string, above: ReadonlySet<ts.Type>): SdkMethod[] {
  return type.getProperties().flatMap((symbol) => {
    if (symbol.name.startsWith('_') || symbol.name.startsWith('#')) return [];
    const of = checker().getTypeOfSymbol(symbol);
    const name = `${prefix}${symbol.name}`;
    const overloads = of.getCallSignatures();
    if (overloads.length > 0) return prefix === '' ? [] : [methodOf(name, overloads)];
    const isResource = of.isClass() && (of.getBaseTypes() ?? []).some((base) => base.symbol.name === 'APIResource');
    return isResource && !above.has(of) ? methodsOf(of, `${name}.`, new Set([...above, of])) : [];
  });
}

function methodOf(name: string, overloads: readonly ts.Signature[]): SdkMethod {
  const response = overloads.flatMap((overload) => responseOf(overload.getReturnType()) ?? []).at(0);
  return { name, parameters: widest(overloads).map(fieldOf), response: response && shapeOf(response) };
}

/** Returns the last overload with the most parameters. It accepts everything that the other overloads accept. */
function widest(overloads: readonly ts.Signature[]): readonly ts.Symbol[] {
  return overloads
    .map((overload) => overload.getParameters().filter(isInput))
    .reduce((widest, next) => (next.length >= widest.length ? next : widest));
}

function responseOf(promise: ts.Type): ts.Type | undefined {
  if (!PROMISES.has(promise.symbol?.name)) return undefined;
  const [type] = checker().getTypeArguments(promise as ts.TypeReference);
  return type === undefined || type.symbol?.name === 'Stream' ? undefined : type;
}

function isInput(symbol: ts.Symbol): boolean {
  return symbol.name !== 'options' && symbol.name !== 'requestOptions';
}

function fieldOf(symbol: ts.Symbol): Field {
  return {
    name: symbol.name,
    optional: (symbol.flags & ts.SymbolFlags.Optional) !== 0 || isOptionalParameter(symbol),
    doc: ts.displayPartsToString(symbol.getDocumentationComment(checker())),
    shape: shapeOf(checker().getTypeOfSymbol(symbol)),
  };
}

function isOptionalParameter({ valueDeclaration: declaration }: ts.Symbol): boolean {
  return declaration !== undefined && ts.isParameter(declaration) && declaration.questionToken !== undefined;
}

function shapeOf(type: ts.Type): Shape {
  let shape = shapes.get(type);
  if (shape === undefined) {
    shape = makeShape(type);
    shapes.set(type, shape);
  }
  return shape;
}

function makeShape(type: ts.Type): Shape {
  if (type.isStringLiteral() || type.isNumberLiteral()) return { kind: 'literal', value: type.value };
  if (type.flags & ts.TypeFlags.Null) return { kind: 'literal', value: null };
  if (type.flags & ts.TypeFlags.BooleanLiteral)
    return { kind: 'literal', value: checker().typeToString(type) === 'true' };
  if (type.flags & ts.TypeFlags.StringLike) return { kind: 'string' };
  if (type.flags & ts.TypeFlags.NumberLike) return { kind: 'number' };
  if (type.isUnion()) return unionOf(type.types);
  if (type.isIntersection() && type.types.some(({ flags }) => flags & ts.TypeFlags.String)) return { kind: 'string' };
  if (type.getProperties().some(({ name }) => OF_FILES.test(name))) return FILE;
  if (type.symbol?.name === 'Date') return { kind: 'string' };
  if (isPlainObject(type)) return structureOf(type);
  return { kind: 'any' };
}

/** Omits members that JSON cannot contain, such as `undefined` and functions. */
function unionOf(types: readonly ts.Type[]): Shape {
  const absent = ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Never;
  const members = [
    ...new Set(
      types
        .filter(({ flags }) => (flags & absent) === 0)
        .filter((type) => type.getCallSignatures().length === 0)
        .map(shapeOf),
    ),
  ];
  return members.length === 1 ? members[0]! : { kind: 'union', members };
}

function isPlainObject(type: ts.Type): boolean {
  const structured = ts.TypeFlags.Object | ts.TypeFlags.Intersection;
  return (type.flags & structured) !== 0 && type.getCallSignatures().length === 0;
}

function structureOf(type: ts.Type): Shape {
  const types = checker();
  if (types.isArrayLikeType(type)) {
    const items = types.getIndexTypeOfType(type, ts.IndexKind.Number);
    return { kind: 'array', items: items === undefined ? { kind: 'any' } : shapeOf(items) };
  }
  const values = types.getIndexTypeOfType(type, ts.IndexKind.String);
  const properties = types.getPropertiesOfType(type);
  if (values !== undefined && properties.length === 0) return { kind: 'map', values: shapeOf(values) };
  let fields: readonly Field[] | undefined;
  return {
    kind: 'object',
    name: type.aliasSymbol?.name ?? type.symbol?.name ?? '',
    get fields() {
      fields ??= properties.filter(isData).map(fieldOf);
      return fields;
    },
  };
}

function isData(symbol: ts.Symbol): boolean {
  return checker().getTypeOfSymbol(symbol).getCallSignatures().length === 0;
}
