// Checks the documents of the project, and the comments of files that ESLint does not parse, with textlint.
// Usage: node tools/prose/check-docs.js [FILE…]. Without files it checks every tracked one.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import { LIMITS } from './words.data.js';
import { faultsOf } from './prose.js';

const GENERATED = new Set(['docs/licences.md']);

const limits = { sentenceWords: LIMITS.documentSentenceWords, paragraphWords: LIMITS.paragraphWords };

const prose = ({ Syntax, RuleError, report, getSource }) => {
  const check = (node) => {
    for (const fault of faultsOf(getSource(node), limits)) report(node, new RuleError(fault));
  };
  return { [Syntax.Paragraph]: check, [Syntax.TableCell]: check, [Syntax.Header]: check };
};

/** Other lines become blank, so that line numbers stay correct. */
const commentsOnly = (text) =>
  text
    .split('\n')
    .map((line) => /^\s*(?:#|--) (.*)$/.exec(line)?.[1] ?? '')
    .join('\n');

const files = process.argv.slice(2);
const tracked = execFileSync('git', ['ls-files', '-z', ...files], { encoding: 'utf8' }).split('\0');
const kernel = new TextlintKernel();
let faults = 0;
for (const file of tracked.filter((name) => /\.(md|ya?ml|sql|sh)$/.test(name) && !GENERATED.has(name))) {
  const text = readFileSync(file, 'utf8');
  const { messages } = await kernel.lintText(file.endsWith('.md') ? text : commentsOnly(text), {
    ext: '.md',
    filePath: file,
    plugins: [{ pluginId: 'markdown', plugin: markdown.default ?? markdown }],
    rules: [{ ruleId: 'prose', rule: prose }],
  });
  for (const { line, message } of messages) console.error(`${file}:${line} ${message}`);
  faults += messages.length;
}
if (faults > 0) {
  console.error(`${faults} faults. The rules are in CONTRIBUTING.md, under "Prose".`);
  process.exit(1);
}
