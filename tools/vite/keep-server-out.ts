import path from 'node:path'
import type { Plugin } from 'vite'

/**
 * Fails the build when a file of the server or a module of Node is reached from the browser's code: secrets and SQL would be one
 * mistaken import away from every visitor. Each module is checked when it is loaded, because a constant may be written into a chunk
 * that no longer names its module; and the chunks are checked once more. There a schema that is left with its library is found too: the
 * server alone checks by them (strip-schemas.ts), and a browser would fetch 4 kB for nothing before its first page.
 */
export function keepServerOut(root = process.cwd()): Plugin {
  return {
    name: 'hostdesk:keep-server-out',
    apply: 'build',
    enforce: 'pre',
    transform(_, id) {
      if (!isOfTheServer(id, root)) return null
      const importers = (this.getModuleInfo(id)?.importers ?? []).map((importer) => nameOf(importer, root))
      return this.error(`${nameOf(id, root)} is code of the server, imported by ${importers.join(', ')}`)
    },
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const foreign = [...chunk.moduleIds, ...chunk.imports].filter(
          (id) => isOfTheServer(id, root) || id.includes('/node_modules/zod/'),
        )
        if (foreign.length > 0) {
          this.error(
            `${chunk.fileName} holds code of the server: ${foreign.map((id) => nameOf(id, root)).join(', ')}`,
          )
        }
      }
    },
  }
}

function isOfTheServer(id: string, root: string): boolean {
  if (/^(\0|__vite-browser-external:)?node:/u.test(id) || id.includes('__vite-browser-external')) return true
  const file = nameOf(id, root)
  return !file.startsWith('node_modules/') && !file.startsWith('..') && file.includes('/server/')
}

const nameOf = (id: string, root: string): string =>
  path.relative(root, id.replace(/^\0/u, '').split('?')[0] ?? id)
