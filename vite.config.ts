import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { keepServerOut } from './tools/vite/keep-server-out.ts'
import { preloadLogin } from './tools/vite/preload-login.ts'
import { precompress } from './tools/vite/precompress.ts'
import { stripSchemas } from './tools/vite/strip-schemas.ts'
import { texts } from './tools/vite/texts.ts'

// React, the router, and what the login page and the first page after it both use.
const BASE = [
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store)\//u,
  /node_modules\/@tanstack\/(?!.*query)/u,
  /lucide-react\/dist\/esm\/(?!icons\/)/u,
  /lucide-react\/dist\/esm\/icons\/(circle-|eye|key-|languages|megaphone|monitor|moon|sun|triangle-|wifi-off|x\.)/u,
  /vite\/preload-helper|rolldown\/runtime/u,
  /\.generated\/texts\/(runtime|messages\/(ui|label|error_(unknown|network|required)|shell))/u,
  /foundation\/[^/]+\.ts$/u,
  /foundation\/web\/(api\/(?!query)|form|i18n|toasts|theme|screen|progress-bar|[^/]+$)/u,
  /foundation\/web\/ui\/(alert|button|class-names|dialog|field|icon-button|mark|menu|password|preferences|spinner|text)/u,
]

const isBase = (id: string): boolean => BASE.some((pattern) => pattern.test(id))

const api = `http://localhost:${process.env['PORT'] ?? '3000'}`

export default defineConfig({
  root: 'app/web',
  base: '/account/',
  // The router's store brings a stand-in for a hook that React has had for years.
  resolve: {
    alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' },
  },
  plugins: [
    texts(),
    react(),
    tailwindcss(),
    stripSchemas(),
    keepServerOut(),
    preloadLogin('features/auth/web/auth-page.tsx'),
    precompress(),
  ],
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
    rolldownOptions: {
      output: {
        comments: false,
        // What every page needs in one file: each further one is a request, and compresses worse on its own.
        codeSplitting: { groups: [{ name: 'base', test: isBase, includeDependenciesRecursively: false }] },
      },
    },
  },
})
