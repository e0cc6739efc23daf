import tseslint from 'typescript-eslint';
import prose from './tools/prose/eslint-plugin.js';

const typescript = ['**/*.ts', '**/*.tsx'];

/** It only shares a line. Prettier decides where lines break. */
const SPREAD_LITERAL = {
  selector:
    'SpreadElement > :matches(ObjectExpression, ArrayExpression), SpreadElement > TSAsExpression > ArrayExpression',
  message: 'Write the elements instead of spreading a literal.',
};

/** Name the arguments in an object instead. A constructor that only injects dependencies can have one more. */
const MANY_PARAMETERS = [
  { selector: ':matches(FunctionDeclaration, ArrowFunctionExpression)[params.length>4]' },
  { selector: 'MethodDefinition[kind!="constructor"] > FunctionExpression[params.length>4]' },
].map((rule) => ({ ...rule, message: 'Use at most four parameters.' }));

export default tseslint.config(
  {
    ignores: [
      '.githooks/',
      '**/dist/',
      '**/node_modules/',
      'site/.vitepress/.temp/',
      'test/slow/project/runner/fixtures/*.js',
      'dashboard/src/api/schema.d.ts',
    ],
  },
  {
    // CONTRIBUTING.md, "Prose". JavaScript files have no other rules.
    files: [...typescript, '**/*.js', '**/*.cjs'],
    plugins: { prose },
    rules: { 'prose/comments': 'error', 'prose/test-titles': 'error' },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
  },
  {
    // Not tests and benchmarks, whose strings are mostly data.
    files: ['src/**', 'dashboard/src/**', 'sandbox/src/**', 'tools/**'],
    rules: { 'prose/messages': 'error' },
  },
  ...tseslint.configs.recommendedTypeChecked.map((config) => ({ ...config, files: typescript })),
  {
    files: typescript,
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-unsafe-function-type': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/consistent-type-imports': 'off',
      eqeqeq: 'error',
      'no-restricted-syntax': ['error', SPREAD_LITERAL],
      'no-console': 'error',
      'max-params': ['error', 5],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read settings only in src/platform/config.' },
      ],
    },
  },
  {
    files: ['dashboard/**'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // Not tests, where the columns of a table are parameters.
    files: ['src/**', 'sandbox/src/**', 'dashboard/src/**'],
    rules: { 'no-restricted-syntax': ['error', SPREAD_LITERAL, ...MANY_PARAMETERS] },
  },
  {
    // V8 allocates a function that is assigned directly to a property in the old generation. Until the next full collection it
    // keeps the whole request in memory. This made young-generation collections six times as expensive.
    files: ['src/proxy/**', 'src/platform/request-context/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        SPREAD_LITERAL,
        ...MANY_PARAMETERS,
        {
          selector:
            'AssignmentExpression[left.type="MemberExpression"] > ArrowFunctionExpression.right, PropertyDefinition > ArrowFunctionExpression.value',
          message: 'Assign the function to a const first and then to the property. See docs/performance/hot-path.md.',
        },
      ],
    },
  },
  {
    // Landed migrations do not change.
    files: ['migrations/**'],
    rules: { 'no-restricted-syntax': 'off', 'prose/comments': 'off' },
  },
  {
    // Their packages are installed separately. Without them the types are unknown.
    files: ['test/clients/frameworks/**'],
    rules: { '@typescript-eslint/no-redundant-type-constituents': 'off' },
  },
  {
    files: ['test/**', 'bench/**', 'ormconfig.ts', 'src/main.ts', 'sandbox/src/main.ts', 'src/cli/main.ts'],
    rules: { 'no-restricted-properties': 'off', 'no-console': 'off' },
  },
  {
    // Tests read JSON responses of any shape, and a wrong assumption fails the test.
    files: ['test/**'],
    rules: Object.fromEntries(
      ['assignment', 'member-access', 'argument', 'call', 'return'].map((what) => [
        `@typescript-eslint/no-unsafe-${what}`,
        'off',
      ]),
    ),
  },
);
