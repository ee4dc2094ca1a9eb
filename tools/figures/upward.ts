import { readFileSync } from 'node:fs'
import { featureOf, featuresInOrder } from '#tools/features.ts'
import type { SourceFile } from './read-code.ts'

/**
 * Returns a sentence for each import of a higher layer. The foundation is lowest, then database, the features in the order of their
 * README, and the app on top.
 */
export function importsUpward(files: readonly SourceFile[]): string[] {
  const order = featuresInOrder((path) => readFileSync(path, 'utf8'))
  const heightOf = (path: string): number => {
    const layer = path.split('/')[0]
    if (layer === 'features') return 1 + order.indexOf(featureOf(path) ?? '')
    return layer === 'foundation' ? 0 : layer === 'database' ? 0.5 : order.length + 1
  }
  return files.flatMap(({ path, imports }) =>
    imports.filter(({ to }) => heightOf(to) > heightOf(path)).map(({ to }) => `${path} imports ${to}`),
  )
}
