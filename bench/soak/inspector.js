// Reads the resources of a process through its inspector, so that the gateway needs no code for it.
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { rssBytes } from '../system/processes.js';

export class Inspector {
  #socket;
  #next = 0;

  static async of(stderr) {
    const inspector = new Inspector();
    const address = await addressIn(stderr);
    inspector.#socket = new WebSocket(address);
    await once(inspector.#socket, 'open');
    return inspector;
  }

  /** Reads the levels after two full collections. The second frees objects released by finalizers of the first. */
  async levels(pid) {
    for (let time = 0; time < 2; time++) await this.#ask('HeapProfiler.collectGarbage');
    const expression = '({heap: process.memoryUsage(), resources: process.getActiveResourcesInfo()})';
    const { result } = await this.#ask('Runtime.evaluate', { expression, returnByValue: true });
    const { heap, resources } = result.value;
    const of = (...kinds) => resources.filter((kind) => kinds.includes(kind)).length;
    const handles = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
    return {
      rssMiB: rssBytes(pid) / 2 ** 20,
      heapMiB: heap.heapUsed / 2 ** 20,
      externalMiB: (heap.external + heap.arrayBuffers) / 2 ** 20,
      timers: of('Timeout', 'Immediate'),
      resources: resources.length,
      sockets: handles.filter((target) => target.startsWith('socket:')).length,
      handles: handles.length,
      threads: readdirSync(`/proc/${pid}/task`).length,
    };
  }

  close() {
    this.#socket.close();
  }

  #ask(method, params = {}) {
    const id = ++this.#next;
    return new Promise((resolve, reject) => {
      const listen = ({ data }) => {
        const message = JSON.parse(data);
        if (message.id !== id) return;
        this.#socket.removeEventListener('message', listen);
        if (message.error === undefined) resolve(message.result);
        else reject(new Error(message.error.message));
      };
      this.#socket.addEventListener('message', listen);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }
}

async function addressIn(stderr) {
  let text = '';
  for await (const [data] of on(stderr)) {
    text += data;
    const address = /listening on (ws:\S+)/.exec(text)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`no inspector: ${text}`);
}

async function* on(stream) {
  while (stream.readable) yield await once(stream, 'data');
}

function linkOf(path) {
  try {
    return readlinkSync(path);
  } catch {
    return 'gone';
  }
}
