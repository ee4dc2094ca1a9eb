import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { featureOf, featuresInOrder as inOrder } from '#tools/features.ts'

/** A checkout as the rules see it: the paths from its root and the text behind each. */
export type Tree = { paths: readonly string[]; read: (path: string) => string }

/** Returns the complaints of a rule about a tree: one sentence for each violation. */
export type Rule = (tree: Tree) => string[]

/** Every file that is, or could be, committed. */
export function checkout(): Tree {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  const paths = [...new Set(listed.trim().split('\n'))].filter((path) => existsSync(path)).toSorted()
  const texts = new Map<string, string>()
  const read = (path: string) => {
    const text = texts.get(path) ?? readFileSync(path, 'utf8')
    texts.set(path, text)
    return text
  }
  return { paths, read }
}

/** Returns a small tree of the files that a test gives, by path. */
export function treeOf(files: Record<string, string>): Tree {
  return { paths: Object.keys(files), read: (path) => files[path] ?? '' }
}

export const isTest = (path: string): boolean => /\.(test|e2e)\.tsx?$/.test(path)

export const isSource = (path: string): boolean =>
  /^(app|clients|features|foundation)\/.*\.tsx?$/.test(path) && !isTest(path) && path !== GENERATED

/** The types of the tables, written by `npm run schema`. */
const GENERATED = 'foundation/server/database/tables.ts'

/** Returns the folders under features/ and their parts, which the lists in the READMEs must name. */
export function featuresOnDisk({ paths }: Tree): string[] {
  return [...new Set(paths.flatMap((path) => featureOf(path) ?? []))].toSorted()
}

/** Returns the features in the order of the READMEs, in which each feature imports only from the features above it. */
export function featuresInOrder({ paths, read }: Tree): string[] {
  return paths.includes('features/README.md') ? inOrder(read) : []
}
