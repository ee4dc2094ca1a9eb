import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { cutFonts } from './tools/vite/cut-fonts.ts'
import { firstScript } from './tools/vite/first-script.ts'
import { keepServerOut } from './tools/vite/keep-server-out.ts'
import { leanIcons } from './tools/vite/lean-icons.ts'
import { leanStyles } from './tools/vite/lean-styles.ts'
import { stripSchemas } from './tools/vite/strip-schemas.ts'

const api = `http://localhost:${process.env['PORT'] ?? '3000'}`
const proxy = { '/api': api, '/dev': api, '/.well-known': api }

// All else is split by the bundler. Left to it, the first page would be 73 files and 10 kB more.
const groups = [
  // Code that stands before any page, with the form, which the login page has; but with no form that edits.
  {
    name: 'base',
    test: /\/(app\/web\/main\.tsx|foundation\/web\/(form\/(?!(use-)?edit).+|use-act\.ts|ui\/(password-field|text-field|legal-links)\.tsx))$/u,
    priority: 2,
  },
  // The labels and lists that contracts and rules import. The first page reads none of them, and would get them all.
  {
    name: 'labels',
    test: /\/(features\/(profile\/(fields|country-codes)|sharing\/limits)|foundation\/ipv6)\.ts$/u,
    priority: 1.5,
  },
  // The frame of the pages behind the sign-in, with the page that a sign-in leads to, the way to it and the button on it.
  {
    name: 'home',
    test: /\/(app\/web\/(shell\/shell\.tsx|home\.ts)|features\/\w+\/web\/(host-page|order-button)\.tsx)$/u,
    priority: 1,
  },
  // The reactions to live events, with the contracts, and what pages share with them: all pages load them after their first view.
  // Left to the bundler each contract would be a request of its own: 35 more.
  {
    name: 'live',
    test: /\/(foundation\/web\/(realtime|screen)\/.+|features\/(.+\/(web\/live|slots)|legal\/contract))\.ts$|\/icons\/(circle-check|landmark|megaphone)\.mjs$/u,
    priority: 0.5,
  },
  // The part of the pages that members of staff alone have, with their menu; no page of customers waits for it.
  { name: 'staff', test: /\/app\/web\/(shell\/live-pages|staff-features)\.ts$/u },
  {
    name: 'notes',
    test: /\/(app\/web\/shell\/notes|features\/announcements\/web\/notices)\.tsx$/u,
  },
]

export default defineConfig(({ command }) => ({
  root: 'app/web',
  base: '/account/',
  // One module serves all texts to `npm run dev`: nothing is bundled there, and each load of a page would fetch a thousand.
  resolve: {
    alias:
      command === 'serve'
        ? { '#texts/messages.js': path.resolve('.generated/texts/messages-node.js') }
        : // React has by itself what this package brings to versions before 18.
          { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' },
  },
  plugins: [
    react(),
    tailwindcss(),
    cutFonts(),
    firstScript('theme.js', 'home'),
    stripSchemas(),
    leanIcons(),
    leanStyles(),
    keepServerOut(),
  ],
  server: { proxy },
  preview: { proxy },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    manifest: true,
    target: 'es2024',
    // The oldest that know `@property`, as tools/vite/lean-styles.ts wants.
    cssTarget: ['chrome125', 'firefox128', 'safari17.5'],
    // Fonts and pictures as data: URLs would not be cached, and the CSP allows no fonts so.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups,
        },
      },
    },
  },
}))
