// A minimal proxy that a team could write in ten lines. argv: port, provider's port.
import proxy from '@fastify/http-proxy';
import { fastify } from 'fastify';

const app = fastify({ keepAliveTimeout: 120_000 });
await app.register(proxy, {
  upstream: `http://127.0.0.1:${process.argv[3]}`,
  undici: { connections: 4096, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 },
});
await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' });
process.send?.('listening');
process.on('disconnect', () => process.exit());
