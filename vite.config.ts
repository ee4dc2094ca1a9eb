import { globSync } from 'node:fs'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { firstFiles } from './tools/vite/first-files.ts'
import { keepServerOut } from './tools/vite/keep-server-out.ts'
import { precompress } from './tools/vite/precompress.ts'
import { soundChunks } from './tools/vite/sound-chunks.ts'
import { stripSchemas } from './tools/vite/strip-schemas.ts'
import { texts } from './tools/vite/texts.ts'

// React, the router, and what the login page and the first page after it both use.
const BASE = [
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store)\//u,
  /node_modules\/@tanstack\/(?!.*query)/u,
  /lucide-react\/dist\/esm\/(?!icons\/)/u,
  /lucide-react\/dist\/esm\/icons\/(circle-|eye|key-|languages|megaphone|monitor|moon|sun|triangle-|wifi-off|x\.)/u,
  /vite\/preload-helper|rolldown\/runtime/u,
  /\.generated\/texts\/(runtime|messages\/(ui_(?!chang|discard|unsaved)|label|error_(unknown|network|required)\.|shell_(?!address_confirmed|home|keys|no_|not_found_|palette(?!_search\.)|reset)))/u,
  /foundation\/(?!live-contract|money)[^/]+\.ts$/u,
  /foundation\/web\/(api\/(?!query|download|upload)|i18n\/(?!money)|toasts\/(?!toast-)|theme|screen|progress-bar|(?!copy-text|drafts|focus|hotkeys|keep-focus|new-id|use-modal|use-query-action)[^/]+$)/u,
  /app\/web\/shell\/unread-title/u,
  /foundation\/web\/ui\/(button|class-names|control-class|icon-button|legal-links|mark|menu|preferences|spinner)/u,
]

// Form components: the login page has them at once, a list only in a dialog.
const FORM = [
  /foundation\/web\/form\/(?!edit|use-edit|intention)/u,
  /foundation\/web\/ui\/(field|password|text)/u,
]

// Modules that every page behind the sign-in needs.
const FRAME = [
  /node_modules\/@tanstack\/.*query/u,
  /foundation\/web\/api\/query/u,
  /features\/profile\/(contract\.ts|web\/hooks)/u,
  /foundation\/(live-contract|money|web\/(drafts|i18n\/money))\.ts/u,
  /foundation\/web\/(copy-text\.ts|ui\/(avatar|badge|card|error-state|kbd|page|search-field|skeleton|tabs)\.tsx)/u,
  // All of the shell but what stands outside of it or comes when it is needed. A part that is left out can cut the frame in
  // two, which the bundler does not survive: it then exports what it has not defined.
  /app\/web\/shell\/(?!drawer|error-page|frame|live-pages|no-page|palette(?!-button|-key)|route-announcer|shortcut|unread-title)/u,
  /lucide-react\/dist\/esm\/icons\/(check|chevrons-up-down|ellipsis|inbox|life-buoy|log-out|menu|plus|search|server|shield|user|wallet)\./u,
]

// No page begins with a dialog, or loses the focus: it comes with the first dialog, or when the page has settled.
const DIALOG = [/foundation\/web\/(focus|keep-focus|use-modal|ui\/dialog)\./u]

// A form over something that is kept, which others may change meanwhile: behind the sign-in only.
const EDITS = [
  /foundation\/web\/form\/(edit|use-edit)/u,
  /\.generated\/texts\/messages\/ui_(chang|discard|unsaved)/u,
]

// Asked for on the pages of settings only.
const PROOF = [/foundation\/web\/reauthentication/u, /\.generated\/texts\/messages\/reauthentication_/u]

// Small parts that several pages have: on their own each would be a request for a hundred bytes.
const PARTS = [
  /foundation\/web\/(?!api\/(?!download)|form|new-id|realtime|reauthentication|toasts|ui\/(alert|checkbox|combobox|qr|select|settings))/u,
  /lucide-react\/dist\/esm\/icons\//u,
]

// Live event reactions, asked for in one go when the page is there.
const LIVE = [/features\/[^/]+\/web\/live\.ts$/u, /app\/web\/(live|shell\/live-pages)\.ts$/u]

const matcher =
  (patterns: readonly RegExp[]) =>
  (id: string): boolean =>
    patterns.some((pattern) => pattern.test(id))

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
    firstFiles({
      lists: globSync(['features/*/web/routes.tsx', 'app/web/*/routes.tsx']),
      login: 'features/auth/web/auth-page.tsx',
      frame: 'app/web/shell/shell.tsx',
      home: '/servers/list',
    }),
    soundChunks(),
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
        // The names of all pages stand in the first script, and hashes do not compress.
        chunkFileNames: 'assets/[hash].js',
        // Modules that every page needs, in one file: each further one is a request, and compresses worse on its own.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'base', test: matcher(BASE), priority: 2 },
            { name: 'form', test: matcher(FORM), priority: 1 },
            { name: 'frame', test: matcher(FRAME), priority: 1 },
            { name: 'dialog', test: matcher(DIALOG), priority: 1 },
            { name: 'edits', test: matcher(EDITS), priority: 1 },
            { name: 'proof', test: matcher(PROOF), priority: 1 },
            { name: 'live', test: matcher(LIVE), priority: 1 },
            { name: 'parts', test: matcher(PARTS), minShareCount: 2 },
          ],
        },
      },
    },
  },
})
