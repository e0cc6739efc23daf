import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

interface RequestMethod {
  /** For example `openai.responses.create`. */
  readonly name: string;
  /** The route template, for example `/v1/threads/{}/runs`. */
  readonly endpoint: string;
  readonly body: ts.Type;
}

/** The types of `openai` and `@anthropic-ai/sdk`, loaded with the compiler API. */
export interface VendorTypes {
  readonly checker: ts.TypeChecker;
  readonly methods: readonly RequestMethod[];
}

const ENTRY = path.resolve(import.meta.dirname, 'vendor-clients.ts');
/** Parameters that do not describe the body: transport options and queries. */
const OTHER_PARAMETERS = new Set(['options', 'query', 'headers']);

/** Methods that send their request with a function of another file. */
const OTHER_ROUTES: Readonly<Record<string, string>> = { 'openai.embeddings.create': '/v1/embeddings' };

/** Returns every method of both SDKs that sends POST, PUT or PATCH with a body, except methods that only wrap others. */
export function vendorTypes(): VendorTypes {
  const program = ts.createProgram([ENTRY], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  });
  const checker = program.getTypeChecker();
  const methods: RequestMethod[] = [];
  const seen = new Set<ts.Type>();
  const entry = checker.getSymbolAtLocation(program.getSourceFile(ENTRY)!)!;
  const collect = (type: ts.Type, name: string): void => {
    if (seen.has(type)) return;
    seen.add(type);
    for (const property of checker.getPropertiesOfType(type)) {
      const declaration = property.declarations?.[0];
      if (declaration === undefined || property.name.startsWith('_')) continue;
      const file = declaration.getSourceFile().fileName;
      if (!/\/resources\/|\/client\.d\.m?ts$/.test(file)) continue;
      const own = checker.getTypeOfSymbol(property);
      const signatures = own.getCallSignatures();
      if (signatures.length > 0) methods.push(...methodsOf(checker, signatures, `${name}.${property.name}`, file));
      else if (own.isClassOrInterface()) collect(own, `${name}.${property.name}`);
    }
  };
  for (const client of checker.getExportsOfModule(entry)) collect(checker.getTypeOfSymbol(client), client.name);
  return { checker, methods };
}

function methodsOf(
  checker: ts.TypeChecker,
  signatures: readonly ts.Signature[],
  name: string,
  file: string,
): RequestMethod[] {
  const endpoint = OTHER_ROUTES[name] ?? endpointOf(file, name.slice(name.lastIndexOf('.') + 1));
  if (endpoint === null) return [];
  const bodies = signatures
    .flatMap((signature) => signature.getParameters())
    .filter((parameter) => !OTHER_PARAMETERS.has(parameter.name))
    .map((parameter) => checker.getTypeOfSymbol(parameter))
    .filter((type) => (type.flags & ts.TypeFlags.StringLike) === 0);
  return bodies.map((body) => ({ name, endpoint, body }));
}

const routes = new Map<string, ReadonlyMap<string, string>>();

/** Returns the route of a method, read from its compiled source, or null if the method does not send a body itself. */
function endpointOf(declarations: string, method: string): string | null {
  const file = declarations.replace(/\.d\.(m?)ts$/, '.$1js');
  let known = routes.get(file);
  if (known === undefined) routes.set(file, (known = existsSync(file) ? routesIn(file) : new Map<string, string>()));
  const endpoint = known.get(method);
  if (endpoint === undefined) return null;
  const template = endpoint.replace(/\$\{\w+\}/g, '{}').replace(/\?.*$/, '');
  return template.startsWith('/v1/') ? template : `/v1${template}`;
}

const ROUTE = /_client\s*\.(?:post|put|patch)\(\s*(?:\(0, \w+\.path\)\s*|path\s*)?(['"`])(\/[^'"`]*)\1/;

function routesIn(file: string): Map<string, string> {
  const found = new Map<string, string>();
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ESNext, true);
  const visit = (node: ts.Node): void => {
    if (!ts.isMethodDeclaration(node)) return ts.forEachChild(node, visit);
    const route = ROUTE.exec(node.getText());
    if (route !== null) found.set(node.name.getText(), route[2]!);
  };
  visit(source);
  return found;
}
