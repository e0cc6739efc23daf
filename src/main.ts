/*
 * The gateway's first lines. They run on any Node, so that a wrong one ends with a sentence and not with a stack:
 * everything else is imported only after the check.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const fits = major > 26 || (major === 26 && minor >= 10);

if (fits) {
  const { start } = await import('./start/start.js');
  await start(process.env);
} else {
  process.stderr.write(
    `This gateway needs Node 26.10 or newer: this is ${process.version}. After \`npm ci\` it has its own, in ` +
      'node_modules/.bin: npm scripts run on that.\n',
  );
  process.exitCode = 78;
}
