import { join } from 'node:path';
import ts from 'typescript';
import { moduleOf } from './models.js';

const FILE = join(import.meta.dirname, 'documents.ts');
const OPTIONS = {
  ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
  ...{
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  },
};
let former;

/** Compiles documents as TypeScript literals, to find unknown fields. Schemas accept these, and a cluster drops them. */
export function fieldFaults(documents) {
  const lines = documents.map(
    (document, at) =>
      `import type { I${document.kind} as T${at} } from '${moduleOf(document)}'; ` +
      `export const d${at}: T${at} = ${JSON.stringify(document)};`,
  );
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists } = host;
  const source = ts.createSourceFile(FILE, lines.join('\n'), ts.ScriptTarget.ES2022);
  host.getSourceFile = (name, ...rest) =>
    name === FILE ? source : (former?.getSourceFile(name) ?? getSourceFile.call(host, name, ...rest));
  host.fileExists = (name) => name === FILE || fileExists.call(host, name);
  former = ts.createProgram({ rootNames: [FILE], options: OPTIONS, host, oldProgram: former });
  return former.getSemanticDiagnostics(former.getSourceFile(FILE)).map((diagnostic) => {
    const { line } = source.getLineAndCharacterOfPosition(diagnostic.start);
    return `${documents[line].kind}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')}`;
  });
}
