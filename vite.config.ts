import { globSync } from 'node:fs'
import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { listHosts } from './features/hosts/contract.ts'
import { paths } from './features/paths.ts'
import { cutFonts } from './tools/vite/cut-fonts.ts'
import { firstFiles } from './tools/vite/first-files.ts'
import { keepServerOut } from './tools/vite/keep-server-out.ts'
import { keylessIcons } from './tools/vite/keyless-icons.ts'
import { moduleExports } from './tools/vite/module-exports.ts'
import { plainImports } from './tools/vite/plain-imports.ts'
import { precompress } from './tools/vite/precompress.ts'
import { stripSchemas } from './tools/vite/strip-schemas.ts'
import { texts } from './tools/vite/texts.ts'

// Groups of modules that make one file, each with all that its modules import and no group before it has. All other modules
// are split by the bundler: one file for each set of pages that share it.
const groups = [
  // Rules that only pages of their own use, beside values that the frame of all pages has.
  { name: 'rules', test: /\/features\/(profile\/country-codes|support\/tickets\/rules)\.ts$/u },
  // The base has all that stands before any page, with the parts that both the login page and the frame have.
  {
    name: 'base',
    test: /exports-of:|\/(node_modules\/react-dom\/client|features\/auth\/contract|app\/web\/(main|router|session)|foundation\/web\/(api\/call|i18n\/length-text|theme\/theme|viewing|ui\/(control-class|legal-links)))\.[jt]sx?$/u,
  },
  // The frame of all pages behind the sign-in, with the page that a sign-in leads to and the button on it. The cross and the
  // check mark are here, since they would bring along a dialog and the announcements to pages that have no use for these.
  {
    name: 'home',
    test: /\/(app\/web\/shell\/shell\.tsx|foundation\/web\/(drafts|realtime\/subscriptions)\.ts|features\/(hosts\/web\/host-page|licences\/web\/order-button)\.tsx|lucide-react\/dist\/esm\/icons\/(x|circle-check)\.mjs)$/u,
  },
  // The key of the sign-in by passkey would be a request of its own for one icon.
  {
    name: 'form',
    test: /\/(foundation\/web\/(form\/(form|use-form)|ui\/(password|text)-field)\.tsx?|lucide-react\/dist\/esm\/icons\/key-round\.mjs)$/u,
  },
  { name: 'dialog', test: /\/foundation\/web\/ui\/dialog\.tsx$/u },
  // Left to the bundler it joins parts of other pages, and the list of what each page loads, which the base has, grows.
  { name: 'hosts-by-name', test: /\/features\/hosts\/web\/hosts-by-name\.ts$/u },
  // Announcements that were there last time are drawn with the first page, from this one file.
  { name: 'notices', test: /\/features\/announcements\/web\/notices\.tsx$/u },
  // The code that comes after the first page: the stream of events, and the toasts.
  { name: 'live', test: /\/foundation\/web\/realtime\/live\.ts$/u },
  { name: 'notes', test: /\/app\/web\/shell\/notes\.tsx$/u },
  // Small parts that several pages have: on its own each would be a request for a few hundred bytes.
  { name: 'parts', test: /\/foundation\/web\/ui\//u, minShareCount: 4, maxModuleSize: 2500 },
  // Shared by the pages of the settings: what they show first, and the proof of identity, for which one of them does not wait. The rest of
  // the profile would be a request more for 2 kB, and on a slow phone a page that opens with seven waits for the last of them.
  {
    name: 'settings',
    test: /\/(foundation\/web\/(form\/(edit-form|use-edit-form)|ui\/settings-page)|features\/profile\/web\/profile-page)\.tsx?$/u,
  },
  {
    name: 'proof',
    test: /\/foundation\/web\/(ui\/switch|reauthentication\/(reauthentication|passkey))\.tsx?$/u,
  },
  // All else that pages share, one file for each set of pages that share it. A text or an icon would be a request of its own, so
  // what is smaller goes to the set most like its own. From some 550 on it goes to pages that have no use for it (`npm run bench -- sizes`).
  { name: 'shared', test: /./u, minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 400 },
]

const api = `http://localhost:${process.env['PORT'] ?? '3000'}`

export default defineConfig({
  root: 'app/web',
  base: '/account/',
  resolve: {
    alias: [
      // The router's store brings a stand-in for a hook that React has had for years.
      {
        find: 'use-sync-external-store/shim/with-selector',
        replacement: 'use-sync-external-store/with-selector',
      },
      // The router is told how to read and write a query (app/web/router.tsx), and its own way goes.
      { find: './searchParams.js', replacement: path.resolve('tools/vite/no-search-params.ts') },
      // Nothing here is a mutation of TanStack Query: 1 kB of the first page behind the sign-in.
      { find: './mutationCache.js', replacement: path.resolve('tools/vite/no-mutations.ts') },
      // Lucide's own component knows other frameworks and a context, which nothing here uses: 1 kB.
      { find: '../createLucideIcon.mjs', replacement: path.resolve('foundation/web/ui/icon.ts') },
    ],
  },
  plugins: [
    texts(),
    moduleExports(),
    react(),
    tailwindcss(),
    cutFonts(),
    stripSchemas(),
    keylessIcons(),
    keepServerOut(),
    plainImports(),
    firstFiles({
      lists: globSync(['features/**/web/routes.tsx', 'app/web/*/routes.tsx']),
      paths,
      login: 'features/auth/web/auth-page.tsx',
      frame: 'app/web/shell/shell.tsx',
      notices: 'features/announcements/web/notices.tsx',
      home: paths.hosts(),
      staff: 'app/web/staff-pages.ts',
      font: 'inter-latin-',
      calls: { [paths.hosts.pattern]: listHosts.path },
    }),
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
    modulePreload: false,
    // One file has all styles: nothing would fetch those of a chunk.
    cssCodeSplit: false,
    license: false,
    rolldownOptions: {
      // A property that a library reads on the way, or a name that the browser has, is no reason to keep code that nobody uses.
      treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
      output: {
        comments: false,
        // The names of all pages stand in the first script, and hashes do not compress.
        chunkFileNames: 'assets/[hash:7].js',
        codeSplitting: {
          groups: groups.map((group, index) => Object.assign(group, { priority: groups.length - index })),
        },
      },
    },
  },
})
