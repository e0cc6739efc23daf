/* Runs on any version of Node, so that an unsupported one prints a message. Everything else is imported after the check. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isSupported = major > 26 || (major === 26 && minor >= 10);

if (isSupported) {
  const { prepareProcess, run } = await import('./run.js');
  prepareProcess();
  // A leaked connection would keep the event loop alive, and the shell waiting.
  process.exit(await run(process.argv.slice(2), process.env));
} else {
  process.stderr.write(
    `The gateway requires Node 26.10 or newer, but this is Node ${process.version}. \`npm ci\` installs a supported ` +
      'version in node_modules/.bin, which npm scripts use.\n',
  );
  process.exitCode = 78;
}
