import type { Plugin } from 'vite'

const HELPER = '\0vite/preload-helper.js'

/**
 * Vite sends every `import()` through a helper that fetches the imported file's own imports beside it. The first script names
 * the files of the first page (first-files.ts), and later pages have most of theirs already, so the helper goes: 1 kB of each
 * first page.
 */
export function plainImports(): Plugin {
  let found = false
  return {
    name: 'hostdesk:plain-imports',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (id !== HELPER) return undefined
      found = true
      return 'export const __vitePreload = (load) => load()'
    },
    generateBundle() {
      if (!found) this.error(`Vite has no ${HELPER.slice(1)} any more: is there something else in its place?`)
    },
  }
}
