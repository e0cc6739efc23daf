import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      '.githooks/',
      'dist/',
      'node_modules/',
      '*.js',
      '*.cjs',
      'bench/**/*.js',
      'test/runner/fixtures/*.js',
      'tools/',
      'dashboard/src/api/schema.d.ts',
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
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
      'no-console': 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: false }],
      'max-lines-per-function': ['error', { max: 50, skipComments: true }],
      'max-params': ['error', 5],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Settings are read once, in src/config.' },
      ],
    },
  },
  {
    // A component is one function with its markup.
    files: ['dashboard/**'],
    rules: { 'max-lines-per-function': ['error', { max: 80, skipComments: true }], 'no-restricted-properties': 'off' },
  },
  {
    // V8 allocates a function written right into a property in the old generation: until the next full collection it keeps
    // all that the request was, which made a collection of the young generation six times as dear.
    files: ['src/pipeline/**', 'src/proxy/**', 'src/request-context/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'AssignmentExpression[left.type="MemberExpression"] > ArrowFunctionExpression.right',
          message: 'Name the function first (const), then put it into the property: see docs/performance.md.',
        },
      ],
    },
  },
  { files: ['**/*.data.ts'], rules: { 'max-lines': 'off' } },
  {
    // Their packages are installed apart from the project's own: without them the types are unknown.
    files: ['test/clients/frameworks/**'],
    rules: { '@typescript-eslint/no-redundant-type-constituents': 'off' },
  },
  {
    files: ['test/**', 'bench/**', 'ormconfig.ts', 'src/main.ts', 'sandbox/src/main.ts', 'src/cli/main.ts'],
    rules: { 'no-restricted-properties': 'off', 'max-lines-per-function': 'off', 'no-console': 'off' },
  },
  {
    // Answers are JSON of any shape there, and a wrong guess fails the test.
    files: ['test/**'],
    rules: Object.fromEntries(
      ['assignment', 'member-access', 'argument', 'call', 'return'].map((what) => [
        `@typescript-eslint/no-unsafe-${what}`,
        'off',
      ]),
    ),
  },
);
