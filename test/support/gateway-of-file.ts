import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { TestGateway, type Key } from './gateway.js';

/** To be read inside of tests: it is filled before them. */
interface GatewayOfFile {
  gateway: TestGateway;
  key: Key;
}

/** One gateway for the tests of a file, and for each of them a key of its own and an upstream that was asked nothing yet. */
export function gatewayOfFile(start: () => Promise<TestGateway> = () => TestGateway.start()): Readonly<GatewayOfFile> {
  const file = {} as GatewayOfFile;
  beforeAll(async () => {
    file.gateway = await start();
  });
  afterAll(() => file.gateway?.stop());
  beforeEach(async () => {
    file.key = await file.gateway.createKey();
    file.gateway.upstream.reset();
  });
  return file;
}
