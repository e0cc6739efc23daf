import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '*.js', '*.cjs', 'bench/**/*.js', 'tools/', 'dashboard/src/api/schema.d.ts'] },
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
  { files: ['**/*.data.ts'], rules: { 'max-lines': 'off' } },
  {
    files: ['test/**', 'bench/**', 'ormconfig.ts', 'src/main.ts', 'src/sandbox/main.ts', 'src/cli/**'],
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
