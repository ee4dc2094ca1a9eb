import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

const PACKAGES = [
  'react',
  'react/jsx-runtime',
  'react-dom',
  'react-dom/client',
  'use-sync-external-store/with-selector',
]
const PREFIX = '\0exports-of:'

/**
 * React is written as CommonJS. Each file of the build that imports it would make itself a copy of all its exports as the file runs, by a
 * helper that is a file of its own, and call `(0, copy.useState)()`. Here the exports of React are made once, as those of a module.
 */
export function moduleExports(): Plugin {
  const exportsOf: (source: string) => Record<string, unknown> = createRequire(import.meta.url)
  return {
    name: 'hostdesk:module-exports',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, _importer, { kind }: { kind?: string }) {
      return kind === 'import-statement' && PACKAGES.includes(source) ? PREFIX + source : undefined
    },
    load(id) {
      if (!id.startsWith(PREFIX)) return undefined
      const source = id.slice(PREFIX.length)
      const names = Object.keys(exportsOf(source)).filter((name) => name !== 'default')
      return [
        `const all = require('${source}')`,
        'export default all',
        ...names.map((name) => `export const ${name} = all.${name}`),
      ].join('\n')
    },
  }
}
