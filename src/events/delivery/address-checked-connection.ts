import { lookup as resolve } from 'node:dns';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { DeliveryFailure } from './delivery-retry.rules.js';
import { NameLookups, type LookupDone } from '../../fairness/name-lookups.js';

export type AddressJudge = (address: string) => boolean;

/** Tests replace the system resolver. @returns a function that cancels the lookup */
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
 * Connects only to allowed addresses (D20). An address in the URL is checked before connecting; of a host name, only the
 * allowed addresses are tried. The connected address is checked again before any byte is sent, including the TLS handshake. An
 * earlier lookup is never reused.
 */
export function judgedConnector(
  judge: AddressJudge,
  connectMs: number,
  resolver: Resolver = systemResolver,
): buildConnector.connector {
  return ({ hostname, port, protocol }, callback) => {
    const secure = protocol === 'https:';
    const target = { host: hostname.replace(/\.$/, ''), port: Number(port) || (secure ? 443 : 80), secure };
    connectChecked(target, judge, connectMs, resolver).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

function connectChecked(target: Target, judge: AddressJudge, connectMs: number, resolver: Resolver): Promise<Socket> {
  const { host, port, secure } = target;
  if (isIP(host) !== 0 && !judge(host)) return Promise.reject(new DeliveryFailure('address'));
  return new Promise((resolve, reject) => {
    let cancelLookup: () => void = () => undefined;
    const cancelableResolver: Resolver = (name, done) => (cancelLookup = resolver(name, done));
    const socket = connect({ host, port, noDelay: true, lookup: checkedLookup(judge, cancelableResolver) });
    const fail = (error: Error) => {
      clearTimeout(timer);
      cancelLookup();
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(new DeliveryFailure('connect_timeout')), connectMs);
    const succeed = (made: Socket) => {
      clearTimeout(timer);
      resolve(made);
    };
    // The listeners stay after the connection is passed on, because an error without a listener would end the process.
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

function checkedLookup(judge: AddressJudge, resolver: Resolver): LookupFunction {
  return (name, options, done) => {
    resolver(name, (error, addresses) => {
      if (error !== null || addresses.length === 0) return done(new DeliveryFailure('name', error), []);
      const allowed = addresses.filter(({ address }) => judge(address));
      const [first] = allowed;
      if (first === undefined) return done(new DeliveryFailure('address'), []);
      if (options.all) done(null, allowed);
      else done(null, first.address, first.family);
    });
  };
}
