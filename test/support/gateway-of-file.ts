import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { TestGateway, type Key } from './gateway.js';

/** Hooks set the fields, so only tests and later hooks can read them. */
interface GatewayOfFile {
  gateway: TestGateway;
  key: Key;
}

/** Starts one gateway for all tests of a file. Each test gets a new key and an upstream without recorded requests. */
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
