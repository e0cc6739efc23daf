import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `npm run dev` finds a running gateway. The browser's Host goes along, so that it is the Origin's too. */
const GATEWAY = { target: process.env['GATEWAY_URL'] ?? 'http://127.0.0.1:8080', changeOrigin: false };

export default defineConfig({
  base: '/dashboard/',
  plugins: [react()],
  // The gateway puts a nonce of its own there in each answer.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { '/admin': GATEWAY, '/dashboard/session': GATEWAY, '/dashboard/password': GATEWAY } },
});
