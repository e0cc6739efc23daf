/*
 * The command line's first lines. They run on any Node, so that a wrong one ends with a sentence and not with a stack:
 * everything else is imported only after the check, as in the gateway's own main.ts.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const fits = major > 26 || (major === 26 && minor >= 10);

if (fits) {
  const [{ run }, { prepareProcess }] = await Promise.all([import('./run.js'), import('./run.js')]);
  prepareProcess();
  // Not left to the event loop: a connection that somebody forgot must not keep a shell waiting.
  process.exit(await run(process.argv.slice(2), process.env));
} else {
  process.stderr.write(
    `This gateway needs Node 26.10 or newer: this is ${process.version}. After \`npm ci\` it has its own, in ` +
      'node_modules/.bin: npm scripts run on that.\n',
  );
  process.exitCode = 78;
}
