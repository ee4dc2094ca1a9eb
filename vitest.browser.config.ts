import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { chromiumFlags, findChromium } from './tools/ensure-chromium.ts'
import { wire } from './tests/web/wire-server.ts'

const executablePath = findChromium()

// The parts of the pages, in a real browser, against a scripted server (tests/web/wire.ts).
export default defineConfig({
  // Parts of the files may run at once (tools/test.ts), and none may find what another is writing.
  cacheDir: `node_modules/.vite/web-${process.env['WEB_PART'] ?? 'whole'}`,
  // One module instead of one for each text: the pages of the tests are not bundled, and would load a thousand.
  resolve: {
    alias: {
      '#texts/messages.js': fileURLToPath(import.meta.resolve('#texts/messages.js', import.meta.url)),
    },
  },
  plugins: [react(), tailwindcss(), wire()],
  // The entries are found before the first test: finding one on the way would reload the page in the middle of it.
  optimizeDeps: { entries: ['app/web/main.tsx', '{app,features,foundation}/**/web/**/*.tsx'] },
  test: {
    name: 'web',
    // Loading the pages costs more than most of the tests: files of one runner follow each other in one page, which
    // tests/web/fresh-browser.ts empties between them.
    isolate: false,
    setupFiles: ['tests/web/fresh-browser.ts'],
    include: ['{app,features,foundation}/**/web/**/*.test.tsx'],
    // One page at a time: a page in the background paints too rarely for a click to find a button at rest.
    fileParallelism: false,
    expect: { poll: { timeout: 15_000 } },
    // Modules that a test is the first to load may come late on a busy machine.
    testTimeout: 60_000,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        // A menu that still grows is at no rest: the driver then scrolls the page under it, and the menu goes with its button.
        contextOptions: { locale: 'en-GB', reducedMotion: 'reduce' },
        launchOptions: { ...(executablePath ? { executablePath } : {}), args: chromiumFlags },
      }),
      instances: [{ browser: 'chromium', viewport: { width: 1280, height: 800 } }],
    },
  },
})
