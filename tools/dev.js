// The same start as `npm start`, restarted at each change: the compiler watches the source, Node watches what it writes.
import { spawn } from 'node:child_process';

const children = [
  spawn('node_modules/.bin/tsc', ['-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'], {
    stdio: 'inherit',
  }),
  spawn(process.execPath, ['--watch', '--watch-path=dist', 'dist/src/main.js'], { stdio: 'inherit' }),
];
const stop = () => children.forEach((child) => child.kill('SIGTERM'));
process.on('SIGINT', stop).on('SIGTERM', stop);
children.forEach((child) => child.on('exit', stop));
