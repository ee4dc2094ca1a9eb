import { readFileSync } from 'node:fs'
import type { SourceFile } from './read-code.ts'

/** Imports of something that lies higher, as sentences. Foundation is lowest, then database, the features in the order of their README, and the app on top. */
export function importsUpward(files: readonly SourceFile[]): string[] {
  const list = readFileSync('features/README.md', 'utf8').matchAll(/^\d+\. \[([a-z-]+)\]/gm)
  const order = [...list].map(([, name]) => name)
  const heightOf = (path: string): number => {
    const [layer = '', name = ''] = path.split('/')
    if (layer === 'features') return 1 + order.indexOf(name)
    return layer === 'foundation' ? 0 : layer === 'database' ? 0.5 : order.length + 1
  }
  return files.flatMap(({ path, imports }) =>
    imports.filter(({ to }) => heightOf(to) > heightOf(path)).map(({ to }) => `${path} imports ${to}`),
  )
}
