import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const START_TIMEOUT_MS = 120_000;
const NAMESPACE = 'gateways';

/** Folders that contain `kube-apiserver` and `etcd`, from KUBEBUILDER_ASSETS, separated by colons. */
export function installedServers() {
  const folders = (process.env.KUBEBUILDER_ASSETS ?? '').split(':').filter((folder) => folder !== '');
  const missing = folders.flatMap((folder) =>
    ['kube-apiserver', 'etcd'].map((name) => join(folder, name)).filter((path) => !existsSync(path)),
  );
  return { folders, missing };
}

/** A Kubernetes API server without controllers, on this machine. Objects are stored, but nothing acts on them. */
export class ApiServer {
  static async start(folder) {
    const server = new ApiServer(mkdtempSync(join(tmpdir(), 'api-server-')));
    try {
      await server.launch(folder);
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  constructor(work) {
    this.work = work;
    this.token = randomBytes(16).toString('hex');
    this.children = [];
  }

  /** The path of the kubeconfig file for Helm and kubectl. */
  get kubeconfig() {
    return join(this.work, 'kubeconfig');
  }

  async launch(folder) {
    const [store, peer, port] = await freePorts(3);
    this.port = port;
    const file = (name) => join(this.work, name);
    const address = `http://127.0.0.1:${store}`;
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    writeFileSync(file('key'), privateKey, { mode: 0o600 });
    writeFileSync(file('tokens'), `${this.token},admin,admin,system:masters\n`, { mode: 0o600 });
    this.run(folder, 'etcd', {
      'data-dir': file('etcd'),
      'listen-client-urls': address,
      'advertise-client-urls': address,
      'listen-peer-urls': `http://127.0.0.1:${peer}`,
      'unsafe-no-fsync': true,
    });
    this.run(folder, 'kube-apiserver', {
      'etcd-servers': address,
      'bind-address': '127.0.0.1',
      'secure-port': port,
      'cert-dir': file('certificates'),
      'service-account-issuer': 'https://localhost',
      'service-account-key-file': file('key'),
      'service-account-signing-key-file': file('key'),
      'service-cluster-ip-range': '10.0.0.0/24,fd00::/112',
      'token-auth-file': file('tokens'),
      'authorization-mode': 'RBAC',
      'allow-privileged': true,
      // No controller creates the default service account, and there are no priority classes.
      'disable-admission-plugins': 'ServiceAccount,Priority',
    });
    await this.whenReady();
    writeFileSync(this.kubeconfig, kubeconfig(port, this.token), { mode: 0o600 });
    this.version = (await this.call('GET', '/version')).body.gitVersion;
    await this.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }, '/api/v1/namespaces');
  }

  run(folder, program, options) {
    const log = openSync(join(this.work, `${program}.log`), 'w');
    const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
    this.children.push(spawn(join(folder, program), args, { stdio: ['ignore', log, log] }));
  }

  async whenReady() {
    for (const until = performance.now() + START_TIMEOUT_MS; performance.now() < until;) {
      if (this.children.some(({ exitCode }) => exitCode !== null)) break;
      const { status } = await this.call('GET', '/readyz').catch(() => ({}));
      if (status === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error(
      `kube-apiserver did not start: ${readFileSync(join(this.work, 'kube-apiserver.log')).slice(-2000)}`,
    );
  }

  /** Returns the reason why the API server would reject an object of the namespace, or null. */
  async rejection(document) {
    const path = `${collectionOf(document)}?dryRun=All&fieldValidation=Strict`;
    const { status, body } = await this.call('POST', path, document);
    return status < 300 || body.reason === 'AlreadyExists' ? null : body.message;
  }

  async create(document, path = collectionOf(document)) {
    const { status, body } = await this.call('POST', path, document);
    if (status >= 300) throw new Error(body.message);
    return body;
  }

  call(method, path, body, type = 'application/json') {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${this.token}`, 'content-type': type };
      // The server has made its own certificate.
      const options = { host: '127.0.0.1', port: this.port, method, path, headers, rejectUnauthorized: false };
      const sent = request(options, async (response) => {
        const text = Buffer.concat(await response.toArray()).toString();
        const isJson = response.headers['content-type']?.startsWith('application/json');
        resolve({ status: response.statusCode, body: isJson ? JSON.parse(text) : text });
      });
      sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async stop() {
    const running = this.children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    const ended = running.map((child) => once(child, 'exit'));
    for (const child of running) child.kill('SIGKILL');
    await Promise.all(ended);
    rmSync(this.work, { recursive: true, force: true });
  }
}

/** The path of the objects of this kind in the namespace. */
export function collectionOf({ apiVersion, kind }) {
  const group = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  const plural = `${kind.toLowerCase().replace(/y$/, 'ie')}${/s$/i.test(kind) ? 'es' : 's'}`;
  return `${group}/namespaces/${NAMESPACE}/${plural}`;
}

const kubeconfig = (port, token) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [{ name: 'test', cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'test', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace: NAMESPACE } }],
  });

async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
