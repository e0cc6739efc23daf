// Writes a CycloneDX bill of materials of the shipped packages to dist/sbom.cdx.json. It filters npm's list of the whole
// installation. npm marks the dashboard's packages as development packages, but they are in the page.
// With the folder of an assembled image as argument, it writes there, and lists only the packages in that image.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildOf } from '../version.js';
import { shippedPackages } from './lock-file.js';

const image = process.argv[2];
const FILE = join(image ?? 'dist', 'sbom.cdx.json');
const DEVELOPMENT = 'cdx:npm:package:development';

const packages = shippedPackages('.').filter(image === undefined ? () => true : isInImage());
const shipped = new Set(packages.map(({ name, version }) => `${name}@${version}`));
const whole = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
  maxBuffer: 2 ** 26,
});
const sbom = JSON.parse(whole);
const ownRef = sbom.metadata.component['bom-ref'];
const isShipped = (ref) => ref === ownRef || shipped.has(ref.split('|')[0]);

sbom.metadata.component.type = 'application';
sbom.metadata.component.name = 'inference-gateway';
const { version } = image === undefined ? buildOf('.') : JSON.parse(readFileSync(join(image, 'package.json'), 'utf8'));
sbom.metadata.component.version = version;
sbom.metadata.component.purl = `pkg:npm/inference-gateway@${version}`;
sbom.components = sbom.components.filter((component) => isShipped(component['bom-ref'])).map(asShipped);
const inPage = (ref) => shipped.has(ref.split('|')[0]);
const ofPage = sbom.dependencies.find(({ ref }) => ref.startsWith('dashboard@'))?.dependsOn.filter(inPage) ?? [];
sbom.dependencies = sbom.dependencies
  .filter(({ ref }) => isShipped(ref))
  .map(({ ref, dependsOn = [] }) => ({
    ref,
    dependsOn: [...dependsOn.filter(isShipped), ...(ref === ownRef ? ofPage : [])],
  }));

mkdirSync(dirname(FILE), { recursive: true });
writeFileSync(FILE, `${JSON.stringify(sbom, null, 2)}\n`);
console.log(`${FILE}: ${sbom.components.length} packages`);

function isInImage() {
  const bundled = new Set(JSON.parse(readFileSync(join(image, 'dist/chunks/packages.json'), 'utf8')).bundled);
  return ({ path, part }) => part === 'page' || bundled.has(path) || existsSync(join(image, path));
}

/** Drops this machine's registry URLs, and marks the page's packages as required, which npm calls development packages. */
function asShipped({ externalReferences = [], properties = [], ...component }) {
  return {
    ...component,
    ...(component.scope === 'optional' && isOfPage(properties) ? { scope: 'required' } : {}),
    properties: properties.filter(({ name }) => name !== DEVELOPMENT),
    externalReferences: externalReferences.filter(({ type }) => type !== 'distribution'),
  };
}

function isOfPage(properties) {
  return properties.some(({ name }) => name === DEVELOPMENT);
}
