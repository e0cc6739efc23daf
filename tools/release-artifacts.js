import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageChart } from './deploy/package.js';
import { baseImage, Engine } from './image/engine.js';
import { ReleaseFiles } from './release-files.js';

/**
 * Creates the artifacts that docs/releasing.md lists, from a checkout of the tag. The image needs a container engine.
 * @returns name and SHA-256 of each file
 */
export async function makeArtifacts({ root, folder, version, image, repository }) {
  const startedOn = new Date().toISOString();
  const file = (end) => join(folder, `inference-gateway-${version}${end}`);
  const output = (program, ...args) => execFileSync(program, args, { cwd: root, encoding: 'utf8' }).trim();
  const commit = output('git', 'rev-parse', 'HEAD');

  await packageChart({ root, folder, version, image, repository });
  output('git', 'archive', `--prefix=inference-gateway-${version}/`, `--output=${file('-source.tar.gz')}`, 'HEAD');
  output(process.execPath, 'tools/supply-chain/write-sbom.js');
  cpSync(join(root, 'dist/sbom.cdx.json'), file('.cdx.json'));
  const base = buildImage({ root, version, commit, image, file: file('-image.tar') });

  const subject = digests(folder).map(({ name, sha256 }) => ({ name, digest: { sha256 } }));
  const lock = { uri: 'package-lock.json', digest: { sha256: sha256Of(join(root, 'package-lock.json')) } };
  const statement = provenance({ subject, version, commit, image, repository, startedOn, materials: [lock, ...base] });
  writeFileSync(file('.intoto.json'), `${JSON.stringify(statement, null, 2)}\n`);
  writeFileSync(join(folder, 'notes.md'), `${new ReleaseFiles(root).notes(version)}\n`);
  const made = digests(folder);
  writeFileSync(join(folder, 'checksums.txt'), made.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));
  return made;
}

/** @returns the base image as a dependency of the build, if there is a container engine */
function buildImage({ root, version, commit, image, file }) {
  const { engine, missing } = Engine.find();
  if (engine === undefined) {
    console.log(`The image was not built: ${missing}.`);
    return [];
  }
  const name = `${image}:${version}`;
  engine.build(name, { VERSION: version, COMMIT: commit }, root);
  engine.output('save', '--output', file, name);
  return [{ uri: `docker:${baseImage()}` }];
}

/** An in-toto statement (https://slsa.dev/spec/v1.0/provenance). It is not signed, because a maintainer's machine has no key. */
function provenance({ subject, version, commit, image, repository, startedOn, materials }) {
  const source = repository === undefined ? 'git:inference-gateway' : `git+${repository}`;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `urn:inference-gateway:release:1`,
        externalParameters: { version, image, ...(repository !== undefined && { repository }) },
        resolvedDependencies: [{ uri: `${source}@refs/tags/v${version}`, digest: { gitCommit: commit } }, ...materials],
      },
      runDetails: {
        builder: { id: 'urn:inference-gateway:tools/release.js', version: { node: process.version } },
        metadata: { startedOn, finishedOn: new Date().toISOString() },
      },
    },
  };
}

const digests = (folder) =>
  readdirSync(folder)
    .sort()
    .map((name) => ({ name, sha256: sha256Of(join(folder, name)) }));

const sha256Of = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');
