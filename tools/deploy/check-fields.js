import { join } from 'node:path';
import ts from 'typescript';
import { moduleOf } from './models.js';

const FILE = join(import.meta.dirname, 'documents.ts');
const OPTIONS = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
};
/** Programs by version, whose parsed files are used again. */
const former = new Map();

/**
 * Compiles documents as TypeScript literals, to find unknown fields. Schemas accept these, and a cluster drops them. Each fault
 * has the position of its document.
 */
export function fieldFaults(documents, version) {
  const lines = documents.map(
    (document, at) =>
      `import type { I${document.kind} as T${at} } from '${moduleOf(document, version)}'; ` +
      `export const d${at}: T${at} = ${JSON.stringify(document)};`,
  );
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists } = host;
  const source = ts.createSourceFile(FILE, lines.join('\n'), ts.ScriptTarget.ES2022);
  host.getSourceFile = (name, ...rest) =>
    name === FILE ? source : (former.get(version)?.getSourceFile(name) ?? getSourceFile.call(host, name, ...rest));
  host.fileExists = (name) => name === FILE || fileExists.call(host, name);
  const options = { rootNames: [FILE], options: OPTIONS, host, oldProgram: former.get(version) };
  const program = ts.createProgram(options);
  former.set(version, program);
  return program.getSemanticDiagnostics(program.getSourceFile(FILE)).map((diagnostic) => {
    const { line } = source.getLineAndCharacterOfPosition(diagnostic.start);
    return { at: line, fault: ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ') };
  });
}
