import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const page = readFileSync('docs/reverse-proxy.md', 'utf8');

test.each(readdirSync('deploy/reverse-proxy'))('docs/reverse-proxy.md contains the tested configuration %s', (name) => {
  expect(page).toContain(`\n${readFileSync(`deploy/reverse-proxy/${name}`, 'utf8').trimEnd()}\n\`\`\`\n`);
});
