import { LIMITS } from './words.data.js';
import { faultsOf, wordFaultsOf } from './prose.js';

/** Adjacent line comments are one text. Blank lines and tags separate paragraphs. */
const comments = {
  meta: { type: 'suggestion', schema: [], messages: { fault: '{{fault}}' } },
  create: ({ sourceCode, report }) => ({
    Program() {
      for (const block of blocksOf(sourceCode.getAllComments()))
        for (const paragraph of block.text.split(/\n\s*\n|\n(?=\s*[-*] )|@\w+/))
          if (!isDirective(paragraph))
            for (const fault of faultsOf(paragraph, {
              sentenceWords: LIMITS.sentenceWords,
              paragraphWords: LIMITS.paragraphWords,
            }))
              report({ loc: block.loc, messageId: 'fault', data: { fault } });
    },
  }),
};

const testTitles = {
  meta: { type: 'suggestion', schema: [], messages: { fault: '{{fault}}' } },
  create: ({ report }) => ({
    CallExpression(call) {
      if (!isTest(call.callee)) return;
      const title = textOf(call.arguments[0]);
      for (const fault of title ? wordFaultsOf(title) : [])
        report({ node: call.arguments[0], messageId: 'fault', data: { fault } });
    },
  }),
};

/** Checks strings of at least four words, such as messages, labels and descriptions. */
const messages = {
  meta: { type: 'suggestion', schema: [], messages: { fault: '{{fault}}' } },
  create: ({ report }) => {
    const check = (node) => {
      const text = textOf(node);
      if (text === undefined || !isProse(text)) return;
      // A string that starts with a small letter continues a sentence.
      for (const fault of wordFaultsOf(/^\s*[a-z]/.test(text) ? `… ${text}` : text))
        report({ node, messageId: 'fault', data: { fault } });
    };
    return { Literal: check, TemplateLiteral: check, JSXText: check };
  },
};

export default { meta: { name: 'prose' }, rules: { comments, messages, 'test-titles': testTitles } };

function blocksOf(all) {
  const blocks = [];
  for (const comment of all) {
    const last = blocks.at(-1);
    const text = comment.type === 'Block' ? comment.value.replace(/^\s*\* ?/gm, '') : comment.value.replace(/^ /, '');
    if (comment.type === 'Line' && last?.isLine && last.loc.end.line === comment.loc.start.line - 1) {
      last.text += `\n${text}`;
      last.loc = { start: last.loc.start, end: comment.loc.end };
    } else blocks.push({ text, loc: comment.loc, isLine: comment.type === 'Line' });
  }
  return blocks;
}

const isDirective = (text) => /^\s*(eslint|prettier|@ts|istanbul|#|<reference)/.test(text);

const TESTS = new Set(['describe', 'describeInOrder', 'it', 'test']);

function isTest(callee) {
  if (callee.type === 'Identifier') return TESTS.has(callee.name);
  if (callee.type === 'MemberExpression') return isTest(callee.object);
  if (callee.type === 'CallExpression') return isTest(callee.callee);
  if (callee.type === 'TaggedTemplateExpression') return isTest(callee.tag);
  return false;
}

const SQL = /\b(select|insert|update|delete|create|alter|drop|grant|values)\b.*\b(from|into|set|on|table|where|as)\b/is;

const isProse = (text) => /^\s*["'`(]?[A-Za-z]/.test(text) && text.trim().split(/\s+/).length > 3 && !SQL.test(text);

function textOf(node) {
  if ((node?.type === 'Literal' || node?.type === 'JSXText') && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral') return node.quasis.map((part) => part.value.cooked).join('x');
  return undefined;
}
