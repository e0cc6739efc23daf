import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CHANGELOG = 'CHANGELOG.md';
const UNRELEASED = '[Unreleased]';
const UPGRADE_NOTES = '### Upgrade notes';
const PACKAGE = 'package.json';
const LOCK = 'package-lock.json';
const MANIFESTS = 'deploy/manifests';

/** Lines that repeat the version of package.json. Programs and images have the version of their build (version.js). */
const CHART_LINE = /^((?:version|appVersion): ).+$/gm;
const MANIFEST_LINE = /^( *(?:app\.kubernetes\.io\/version: |image: \S+\/inference-gateway:)).+$/gm;

/** The versions and the changelog of a checkout. Methods that return faults return one sentence for each. */
export class ReleaseFiles {
  constructor(root) {
    this.root = root;
  }

  get version() {
    return JSON.parse(this.read(PACKAGE)).version;
  }

  set version(version) {
    for (const file of [PACKAGE, LOCK]) {
      const json = JSON.parse(this.read(file));
      json.version = version;
      if (json.packages !== undefined) json.packages[''].version = version;
      this.write(file, `${JSON.stringify(json, null, 2)}\n`);
    }
    for (const [file, line] of this.repetitions())
      this.write(
        file,
        this.read(file).replace(line, (_, before) => `${before}${version}`),
      );
  }

  versionFaults() {
    const { version } = this;
    const lock = JSON.parse(this.read(LOCK));
    const different = this.repetitions().filter(([file, line]) => {
      const found = [...this.read(file).matchAll(line)];
      // The chart has a version of its own and that of the application.
      const isComplete = line !== CHART_LINE || found.length === 2;
      return !isComplete || found.some(([text, before]) => text !== `${before}${version}`);
    });
    const locked = lock.version === version && lock.packages[''].version === version;
    const files = [...(locked ? [] : [LOCK]), ...different.map(([file]) => file)];
    return files.map((file) => `${file} does not have the version ${version} of ${PACKAGE}.`);
  }

  /** Every release has upgrade notes, and the latest one is that of package.json, or older while `-dev` is developed. */
  changelogFaults() {
    const releases = [...this.sections()].filter(([name]) => /^\[\d/.test(name));
    const silent = releases.filter(([, text]) => !text.includes(UPGRADE_NOTES));
    const latest = releases[0]?.[0].slice(1, -1);
    const isDevelopment = this.version.endsWith('-dev');
    const fits = isDevelopment ? latest !== this.version.replace('-dev', '') : latest === this.version;
    const expected = isDevelopment ? 'is already' : 'is not';
    return [
      ...silent.map(([name]) => `${CHANGELOG} has no "${UPGRADE_NOTES}" for ${name}.`),
      ...(fits ? [] : [`The latest version in ${CHANGELOG} ${expected} ${this.version.replace('-dev', '')}.`]),
    ];
  }

  /** Faults that keep the unreleased changes from becoming this version. */
  unreleasedFaults(version) {
    const sections = this.sections();
    const unreleased = sections.get(UNRELEASED);
    if (unreleased === undefined)
      return [`${CHANGELOG} has no section "## ${UNRELEASED}". Add it above the latest version.`];
    const faults = [];
    if (sections.has(`[${version}]`)) faults.push(`${CHANGELOG} already has a section for ${version}.`);
    if (!/^- /m.test(unreleased.replace(notesOf(unreleased), '')))
      faults.push(`${CHANGELOG} lists no unreleased change. Describe the changes first.`);
    if (!notesOf(unreleased).replace(UPGRADE_NOTES, '').trim())
      faults.push(
        `${CHANGELOG} has no "${UPGRADE_NOTES}" for the unreleased changes. Add what operators must do, or state that they need to do nothing.`,
      );
    return faults;
  }

  /** Moves the unreleased changes to a section of their own. */
  releaseChanges(version, date) {
    const heading = `## ${UNRELEASED}\n`;
    this.write(CHANGELOG, this.read(CHANGELOG).replace(heading, `${heading}\n## [${version}] - ${date}\n`));
  }

  notes(version) {
    return this.sections().get(`[${version}]`).trim();
  }

  /** Returns the text of each section without its heading, by the first word of the heading. */
  sections() {
    const [, ...sections] = `\n${this.read(CHANGELOG)}`.split(/\n## /);
    return new Map(
      sections.map((section) => [/^\[[^\]]*\]|^\S+/.exec(section)?.[0] ?? '', section.replace(/^.*\n?/, '')]),
    );
  }

  repetitions() {
    const manifests = readdirSync(join(this.root, MANIFESTS))
      .map((name) => `${MANIFESTS}/${name}`)
      .filter((file) => this.read(file).search(MANIFEST_LINE) >= 0);
    return [
      ['deploy/helm/inference-gateway/Chart.yaml', CHART_LINE],
      ...manifests.map((file) => [file, MANIFEST_LINE]),
    ];
  }

  read(file) {
    return readFileSync(join(this.root, file), 'utf8');
  }

  write(file, text) {
    writeFileSync(join(this.root, file), text);
  }
}

/** From the heading of the upgrade notes to the next heading. */
function notesOf(section) {
  const [notes = ''] = section.match(/^### Upgrade notes$[^]*?(?=^### |$(?![^]))/m) ?? [];
  return notes;
}
