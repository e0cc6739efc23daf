// The lower bound: Node's HTTP server and the gateway's HTTP client, without any logic. argv: port, provider's port.
import { createServer } from 'node:http';
import { Pool } from 'undici';

const pool = new Pool(`http://127.0.0.1:${process.argv[3]}`, {
  connections: 4096,
  pipelining: 1,
  headersTimeout: 0,
  bodyTimeout: 0,
});

const server = createServer((req, res) => {
  const parts = [];
  req.on('data', (part) => parts.push(part));
  req.on('end', () => forward(req, res, parts.length === 1 ? parts[0] : Buffer.concat(parts)));
});
server.keepAliveTimeout = 120_000;
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('listening'));
process.on('disconnect', () => process.exit());

function forward(req, res, body) {
  const headers = ['content-type', 'application/json', 'authorization', 'Bearer bench'];
  pool.dispatch(
    { path: req.url, method: req.method, headers, body: body.length > 0 ? body : null },
    {
      onRequestStart() {},
      onResponseStart(_controller, status, head) {
        const flat = [];
        for (const name of ['content-type', 'content-length'])
          if (head[name] !== undefined) flat.push(name, head[name]);
        res.writeHead(status, flat);
        if (head['content-length'] === undefined) res.flushHeaders();
      },
      onResponseData(controller, chunk) {
        if (res.write(chunk)) return;
        controller.pause();
        res.once('drain', () => controller.resume());
      },
      onResponseEnd: () => res.end(),
      onResponseError: () => res.destroy(),
    },
  );
}
