import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';

const ENGINES = ['docker', 'podman'];

/** A container engine on this machine: `docker` or `podman`, or the one that CONTAINER_ENGINE names. */
export class Engine {
  /** Returns `{ engine }`, or `{ missing }` with the reason. */
  static find() {
    const named = process.env.CONTAINER_ENGINE;
    const names = named ? [named] : ENGINES;
    const found = names.find((name) => spawnSync(name, ['info'], { stdio: 'ignore', timeout: 30_000 }).status === 0);
    if (found !== undefined) return { engine: new Engine(found) };
    return { missing: `${named || 'neither docker nor podman'} ${named ? 'does not work' : 'works'} on this machine` };
  }

  constructor(name) {
    this.name = name;
  }

  has(image) {
    return this.run('image', 'inspect', image).status === 0;
  }

  build(image, args, folder = '.') {
    // Podman's own format has no HEALTHCHECK.
    const format = this.name.endsWith('podman') ? ['--format', 'docker'] : [];
    const built = Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
    const options = { cwd: folder, stdio: 'inherit' };
    const { status } = spawnSync(this.name, ['build', ...format, ...built, '--tag', image, '.'], options);
    if (status !== 0) throw new Error(`${this.name} build exits with ${status}`);
  }

  run(...args) {
    return spawnSync(this.name, args, { encoding: 'utf8', timeout: 120_000, maxBuffer: 2 ** 26 });
  }

  /** @throws if the command fails */
  output(...args) {
    const { status, stdout, stderr, error } = this.run(...args);
    if (status !== 0) throw new Error(`${this.name} ${args.join(' ')}: ${error?.message ?? stderr.slice(-2000)}`);
    return stdout;
  }

  /** Returns the exit code of the container, after at most 60 s. */
  async exitCode(container) {
    const waiting = spawn(this.name, ['wait', container], { stdio: ['ignore', 'pipe', 'ignore'], timeout: 60_000 });
    let output = '';
    waiting.stdout.on('data', (text) => (output += text));
    await once(waiting, 'close');
    return Number.parseInt(output, 10);
  }
}

export function baseImage() {
  return /^ARG NODE_IMAGE=(\S+)$/m.exec(readFileSync('Dockerfile', 'utf8'))[1];
}
