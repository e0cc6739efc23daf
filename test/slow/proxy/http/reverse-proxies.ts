import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '../../../support/certificates.js';

export const HOST = 'gateway.example';

interface Paths {
  readonly folder: string;
  readonly port: number;
  readonly certFile: string;
  readonly keyFile: string;
}

interface Kind {
  /** The configuration that docs/reverse-proxy.md describes. */
  readonly file: string;
  readonly version: string;
  /** Changes only the listening port, the paths, and what a test process needs. */
  configure(text: string, paths: Paths): string;
  args(config: string): string[];
}

const AS_ROOT = process.getuid?.() === 0 ? 'user root;' : '';

export const KINDS: Readonly<Record<string, Kind>> = {
  nginx: {
    file: 'nginx.conf',
    version: '-v',
    configure: (text, { folder, port, certFile, keyFile }) => {
      const site = text
        .replace('listen 443', `listen 127.0.0.1:${port}`)
        .replace('/etc/nginx/gateway.pem', certFile)
        .replace('/etc/nginx/gateway.key', keyFile);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const paths = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
      const main = `daemon off; ${AS_ROOT} pid ${folder}/pid; error_log stderr; events {}`;
      return `${main} http { access_log off; ${paths}\n${site}}\n`;
    },
    args: (config) => ['-c', config, '-e', 'stderr'],
  },
  caddy: {
    file: 'Caddyfile',
    version: 'version',
    configure: (text, { port, certFile, keyFile }) => {
      const site = text.replace(`${HOST} {`, `${HOST}:${port} {\n\tbind 127.0.0.1\n\ttls ${certFile} ${keyFile}`);
      return `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`;
    },
    args: (config) => ['run', '--config', config, '--adapter', 'caddyfile'],
  },
  haproxy: {
    file: 'haproxy.cfg',
    version: '-v',
    configure: (text, { folder, port }) =>
      text.replace('bind :443', `bind 127.0.0.1:${port}`).replace('/etc/haproxy/gateway.pem', `${folder}/both.pem`),
    args: (config) => ['-db', '-f', config],
  },
};

/** Debian installs some of them outside the PATH of users. */
export function programOf(name: string): string | null {
  const programs = [name, `/usr/sbin/${name}`];
  return programs.find((program) => spawnSync(program, [KINDS[name]!.version]).status === 0) ?? null;
}

/** A reverse proxy with TLS in front of a gateway, with the project's configuration. */
export class ReverseProxy {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly port: number,
    readonly ca: string,
    readonly log: { text: string },
  ) {}

  static async start(name: string, gatewayPort: number): Promise<ReverseProxy> {
    const kind = KINDS[name]!;
    const folder = await mkdtemp(join(tmpdir(), `gateway-${name}-`));
    const authority = CertificateAuthority.create(folder, 'authority');
    const { certFile, keyFile, cert, key } = authority.issue(HOST);
    await writeFile(join(folder, 'both.pem'), cert + key);
    const port = await freePort();
    const text = await readFile(`deploy/reverse-proxy/${kind.file}`, 'utf8');
    if (!text.includes('127.0.0.1:8080')) throw new Error(`${kind.file} does not name the gateway`);
    const config = join(folder, kind.file);
    const to = text.replace('127.0.0.1:8080', `127.0.0.1:${gatewayPort}`);
    await writeFile(config, kind.configure(to, { folder, port, certFile, keyFile }));
    const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const child = spawn(programOf(name)!, kind.args(config), { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const log = { text: '' };
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (log.text += text.toString()));
    return new ReverseProxy(child, folder, port, authority.cert, log);
  }

  get ended(): boolean {
    return this.child.exitCode !== null;
  }

  async stop(): Promise<void> {
    if (!this.ended) {
      this.child.kill('SIGKILL');
      await once(this.child, 'exit');
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
