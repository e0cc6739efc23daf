// A client that sends requests with a given behavior, on a new or reused connection.
import net from 'node:net';
import { Response } from './response.js';
import { requestOf } from './behaviours.js';

const WAIT_MS_MAX = 30_000;

export class Client {
  #socket = null;

  constructor(port, key) {
    this.port = port;
    this.key = key;
  }

  async do(behaviour) {
    this.#socket ??= await connect(this.port);
    const socket = this.#socket;
    const outcome = await exchange(socket, behaviour, requestOf(behaviour, this.key));
    if (!outcome.kept) {
      this.#socket = null;
      if (behaviour.reset) socket.resetAndDestroy();
      else socket.destroy();
    }
    const { status } = outcome;
    const left = behaviour.leave !== undefined || behaviour.leaveAfterMs !== undefined;
    if (status === null ? !left : !behaviour.expects.includes(status) && !left) {
      throw new Error(`${behaviour.name}: ${status ?? `no response (${outcome.why})`}`);
    }
    if (!left && !behaviour.cut && outcome.why !== 'whole') throw new Error(`${behaviour.name}: ${outcome.why}`);
    return status;
  }

  end() {
    this.#socket?.destroy();
  }
}

function exchange(socket, { leave, leaveAfterMs, readEachMs }, { head, body }) {
  return new Promise((resolve) => {
    const response = new Response();
    const timers = [];
    const done = (why, kept = false) => {
      for (const timer of timers) clearTimeout(timer);
      socket.removeAllListeners('data').removeAllListeners('close');
      resolve({ status: response.status, kept, why });
    };
    socket.on('data', (data) => {
      if (response.take(data)) return done('whole', response.keepsConnection);
      if (leave === 'first-bytes' && response.status !== null) return done('left');
      if (readEachMs === undefined) return;
      socket.pause();
      timers.push(setTimeout(() => socket.resume(), readEachMs));
    });
    socket.on('close', () => done('cut'));
    timers.push(setTimeout(() => done(leaveAfterMs === undefined ? 'late' : 'left'), leaveAfterMs ?? WAIT_MS_MAX));
    write(socket, leave, head, body, () => done('left'));
  });
}

function write(socket, leave, head, body, left) {
  if (leave === 'in-head') return socket.write(head.slice(0, head.length / 2), left);
  if (leave === 'in-body') return socket.write(head + body.slice(0, body.length / 2), left);
  socket.write(head + body, leave === 'asked' ? left : undefined);
}

function connect(port) {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.on('error', reject);
  });
}
