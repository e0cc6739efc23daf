import { lookup as resolve } from 'node:dns';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { DeliveryFailure } from './delivery-retry.rules.js';
import { NameLookups, type LookupDone } from '../../fairness/name-lookups.js';

/** Whether a webhook may go to this address. */
export type AddressJudge = (address: string) => boolean;

/** Asks what a name leads to; the system's but in tests. @returns to be called by who does not want to know any more */
export type Resolver = (name: string, done: LookupDone) => () => void;

const systemLookups = new NameLookups((name, done) => {
  resolve(name, { all: true }, (error, addresses) => done(error, addresses ?? []));
});
const systemResolver: Resolver = (name, done) => systemLookups.ask(name, done);

interface Target {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

/**
 * Makes connections to judged addresses only (D20): an address in the URL is judged before, of a name's addresses only
 * those that pass are tried, and what it is connected to is judged once more before a byte is written, the TLS handshake
 * included. So it does not matter what a name led to when it was looked up before.
 */
export function judgedConnector(
  judge: AddressJudge,
  connectMs: number,
  resolver: Resolver = systemResolver,
): buildConnector.connector {
  return ({ hostname, port, protocol }, callback) => {
    const secure = protocol === 'https:';
    const target = { host: hostname.replace(/\.$/, ''), port: Number(port) || (secure ? 443 : 80), secure };
    connected(target, judge, connectMs, resolver).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

function connected(target: Target, judge: AddressJudge, connectMs: number, resolver: Resolver): Promise<Socket> {
  const { host, port, secure } = target;
  if (isIP(host) !== 0 && !judge(host)) return Promise.reject(new DeliveryFailure('address'));
  return new Promise((resolve, reject) => {
    let stopAsking: () => void = () => undefined;
    const asked: Resolver = (name, done) => (stopAsking = resolver(name, done));
    const socket = connect({ host, port, noDelay: true, lookup: judgedLookup(judge, asked) });
    const fail = (error: Error) => {
      clearTimeout(timer);
      stopAsking();
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(new DeliveryFailure('connect_timeout')), connectMs);
    const succeed = (made: Socket) => {
      clearTimeout(timer);
      resolve(made);
    };
    // They stay once the connection is handed on: an error between two listeners would end the process.
    socket.on('error', fail).once('close', () => fail(new DeliveryFailure('broken')));
    socket.once('connect', () => {
      if (!judge(socket.remoteAddress ?? '')) return fail(new DeliveryFailure('address'));
      if (!secure) return succeed(socket);
      const tls = connectTls({ socket, host, servername: isIP(host) === 0 ? host : '', ALPNProtocols: ['http/1.1'] });
      tls.on('error', (error) => fail(new DeliveryFailure('tls', error)));
      tls.once('secureConnect', () => succeed(tls));
    });
  });
}

function judgedLookup(judge: AddressJudge, resolver: Resolver): LookupFunction {
  return (name, options, done) => {
    resolver(name, (error, addresses) => {
      if (error !== null || addresses.length === 0) return done(new DeliveryFailure('name', error), []);
      const judged = addresses.filter(({ address }) => judge(address));
      const [first] = judged;
      if (first === undefined) return done(new DeliveryFailure('address'), []);
      if (options.all) done(null, judged);
      else done(null, first.address, first.family);
    });
  };
}
