import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The gateway behind `npm run dev`. The browser's Host is kept, because the gateway compares it with the Origin. */
const GATEWAY = { target: process.env['GATEWAY_URL'] ?? 'http://127.0.0.1:8080', changeOrigin: false };

export default defineConfig({
  base: '/dashboard/',
  plugins: [react()],
  // The gateway replaces this with a new nonce in each response.
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
