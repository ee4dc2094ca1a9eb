import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { keepServerOut } from './tools/vite/keep-server-out.ts'
import { precompress } from './tools/vite/precompress.ts'
import { stripSchemas } from './tools/vite/strip-schemas.ts'
import { texts } from './tools/vite/texts.ts'

const api = `http://localhost:${process.env['PORT'] ?? '3000'}`

export default defineConfig({
  root: 'app/web',
  base: '/account/',
  plugins: [texts(), react(), tailwindcss(), stripSchemas(), keepServerOut(), precompress()],
  server: { proxy: { '/api': api, '/dev': api, '/.well-known': api } },
  preview: { proxy: { '/api': api, '/dev': api, '/.well-known': api } },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    manifest: true,
    target: 'es2024',
    // Fonts and pictures as data: URLs would not be cached, and the CSP allows no fonts so.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: false,
    rolldownOptions: { output: { comments: false } },
  },
})
