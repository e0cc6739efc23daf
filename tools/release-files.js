export const CHANGELOG = 'CHANGELOG.md';
export const UNRELEASED = 'Unreleased';
export const UPGRADE_NOTES = '### Upgrade notes';

/**
 * Files that repeat the version of package.json, with the number of lines that contain it. `/health` and the API description read
 * package.json.
 */
export const VERSIONED = [
  { file: 'deploy/helm/inference-gateway/Chart.yaml', pattern: /^((?:version|appVersion): ).+$/gm, count: 2 },
  { file: 'Dockerfile', pattern: /^(ARG VERSION=).+$/gm, count: 1 },
];

/** Returns the text of each version's section, without its heading. The first one is usually Unreleased. */
export function sectionsOf(changelog) {
  const [, ...sections] = `\n${changelog}`.split(/\n## \[/);
  return new Map(
    sections.map((section) => {
      const [heading, ...lines] = section.split('\n');
      return [heading.slice(0, heading.indexOf(']')), lines.join('\n')];
    }),
  );
}
