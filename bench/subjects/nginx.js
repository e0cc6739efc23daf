import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end, freePort, spawnOn, SUBJECT_CORE, untilOk } from '../system/processes.js';

export const whyNoNginx = () => (spawnSync('nginx', ['-v']).status === 0 ? null : 'nginx is not in PATH');

export async function startNginx({ providerPort }) {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'nginx-bench-'));
  writeFileSync(join(folder, 'nginx.conf'), configOf(port, providerPort));
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', '/dev/null'];
  const child = spawnOn(SUBJECT_CORE, 'nginx', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  await untilOk(`http://127.0.0.1:${port}/v1/models`, child);
  return {
    port,
    pid: child.pid,
    headers: [],
    stop: async () => {
      await end(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const configOf = (port, providerPort) => `
daemon off;
master_process off;
pid nginx.pid;
worker_rlimit_nofile 65536;
events { worker_connections 16384; }
http {
  access_log /dev/null combined;
  keepalive_timeout 120s;
  keepalive_requests 1000000000;
  client_max_body_size 50m;
  client_body_buffer_size 512k;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  upstream provider {
    server 127.0.0.1:${providerPort};
    keepalive 4096;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      proxy_pass http://provider;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Authorization "Bearer bench";
      proxy_buffering off;
    }
  }
}
`;
