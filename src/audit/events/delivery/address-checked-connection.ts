import { lookup as resolve, type LookupAddress } from 'node:dns';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import type { EgressProxy } from '../../../platform/egress/egress-proxy.js';
import { openTunnel } from '../../../platform/egress/proxy-tunnel.js';
import { DeliveryFailure } from './delivery-retry.rules.js';
import { DnsLookups, type LookupDone } from './dns-lookups.js';

export type AddressJudge = (address: string) => boolean;

/** Returns a function that cancels the lookup. Tests replace the system resolver. */
export type Resolver = (name: string, done: LookupDone) => () => void;

const systemLookups = new DnsLookups((name, done) => {
  resolve(name, { all: true }, (error, addresses) => done(error, addresses ?? []));
});
const systemResolver: Resolver = (name, done) => systemLookups.ask(name, done);

export interface WebhookProxy {
  readonly proxy: EgressProxy;
  /** If the proxy resolves the host name, the gateway cannot check the address. */
  readonly resolvesNames: boolean;
}

interface Target {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

interface AddressChecks {
  readonly judge: AddressJudge;
  /** Covers the DNS lookup, the connection and the TLS handshake. */
  readonly connectMs: number;
  readonly resolver?: Resolver;
}

/**
 * Connects only to allowed addresses (D20). It checks an address in the URL before it connects, and tries only the allowed
 * addresses of a host name. It checks the connected address again before it sends any byte, including the TLS handshake. An
 * earlier lookup is never reused.
 */
export function judgedConnector(checks: AddressChecks, proxy: WebhookProxy | null): buildConnector.connector {
  return ({ hostname, port, protocol }, callback) => {
    const secure = protocol === 'https:';
    const target = { host: hostname.replace(/\.$/, ''), port: Number(port) || (secure ? 443 : 80), secure };
    const connection = proxy === null ? connectChecked(target, checks) : connectThrough(proxy, target, checks);
    connection.then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

function connectChecked(
  { host, port, secure }: Target,
  { judge, connectMs, resolver = systemResolver }: AddressChecks,
): Promise<Socket> {
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
      const tls = tlsOver(socket, host, fail);
      tls.once('secureConnect', () => succeed(tls));
    });
  });
}

/**
 * The proxy gets an address that was checked, not the host name, so it cannot connect to another one. If it has no route to
 * IPv6, the tunnel to the IPv4 address follows, and vice versa.
 */
async function connectThrough(
  { proxy, resolvesNames }: WebhookProxy,
  { host, port, secure }: Target,
  checks: AddressChecks,
): Promise<Socket> {
  const endsAtMs = performance.now() + checks.connectMs;
  const addresses = resolvesNames ? [host] : await checkedAddresses(host, checks);
  const leftMs = () => Math.max(1, endsAtMs - performance.now());
  const socket = await firstTunnel(proxy, addresses, port, leftMs);
  return secure ? secured(socket, host, leftMs()) : socket;
}

async function firstTunnel(
  proxy: EgressProxy,
  addresses: readonly string[],
  port: number,
  leftMs: () => number,
): Promise<Socket> {
  let problem: unknown;
  for (const [at, host] of addresses.entries()) {
    try {
      return await openTunnel(proxy, { host, port }, leftMs() / (addresses.length - at)).opened;
    } catch (error) {
      problem = error;
    }
  }
  throw new DeliveryFailure('proxy', problem);
}

function secured(socket: Socket, host: string, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      clearTimeout(timer);
      tls.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(new DeliveryFailure('connect_timeout')), timeoutMs);
    const tls = tlsOver(socket, host, fail);
    tls.once('close', () => fail(new DeliveryFailure('broken')));
    tls.once('secureConnect', () => {
      clearTimeout(timer);
      resolve(tls);
    });
  });
}

function tlsOver(socket: Socket, host: string, fail: (error: DeliveryFailure) => void): TLSSocket {
  const tls = connectTls({ socket, host, servername: isIP(host) === 0 ? host : '', ALPNProtocols: ['http/1.1'] });
  return tls.on('error', (error) => fail(new DeliveryFailure('tls', error)));
}

/** Returns one address of each family, in the order of the resolver. */
function checkedAddresses(
  host: string,
  { judge, connectMs, resolver = systemResolver }: AddressChecks,
): Promise<readonly string[]> {
  if (isIP(host) !== 0) return judge(host) ? Promise.resolve([host]) : Promise.reject(new DeliveryFailure('address'));
  return new Promise((resolve, reject) => {
    let cancelLookup: () => void = () => undefined;
    const timer = setTimeout(() => {
      cancelLookup();
      reject(new DeliveryFailure('connect_timeout'));
    }, connectMs);
    const lookup = checkedLookup(judge, (name, done) => (cancelLookup = resolver(name, done)));
    lookup(host, { all: true }, (error, found) => {
      clearTimeout(timer);
      if (error !== null) return reject(error);
      const addresses = (found as LookupAddress[]).map(({ address }) => address);
      resolve(addresses.filter((one, at) => addresses.findIndex((other) => isIP(other) === isIP(one)) === at));
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
