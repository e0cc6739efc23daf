// Runs the gateway like `npm start` and restarts it after each change. tsc watches the sources, Node watches the output.
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
