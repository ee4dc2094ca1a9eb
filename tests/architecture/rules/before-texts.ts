import { parseSync } from 'vite'
import { ownFile } from '#tools/figures/read-code.ts'
import type { Tree } from './tree.ts'

/** The files by which a checkout starts the product and its command line, as far as they run before its texts are compiled. */
const STARTS = ['app/server/start/start.ts', 'app/cli/run.ts']

/**
 * Names each program that needs the compiled texts before it could have compiled them, with the files by way of which it does: a fresh
 * checkout has no compiled texts. A script of `package.json` may have them compiled first.
 */
export function textsCompiledFirst(tree: Tree): string[] {
  return [...STARTS, ...scriptsOf(tree)]
    .filter((start) => tree.paths.includes(start))
    .flatMap((start) => {
      const way = wayToTexts(tree, start)
      return way ? [`${way.join(' imports ')}, and a fresh checkout has none`] : []
    })
}

function scriptsOf({ paths, read }: Tree): string[] {
  if (!paths.includes('package.json')) return []
  const { scripts = {} } = JSON.parse(read('package.json')) as { scripts?: Record<string, string> }
  return Object.values(scripts).flatMap(
    (script) => /^(?:exec )?node (?:.* )?(\S+\.ts)$/.exec(script)?.[1] ?? [],
  )
}

/** Returns the shortest way of imports from a file to the compiled texts; undefined if there is none. */
function wayToTexts(tree: Tree, start: string): string[] | undefined {
  const ways = new Map([[start, [start]]])
  for (const [file, way] of ways)
    for (const to of importsOf(tree, file)) {
      if (to.startsWith('#texts/')) return [...way, to]
      const next = ownFile(to, file)
      if (next !== undefined && !ways.has(next)) ways.set(next, [...way, next])
    }
  return undefined
}

/** Returns the names by which a file of ours imports while it is loaded; types and imports that come later are nothing then. */
function importsOf({ paths, read }: Tree, file: string): string[] {
  if (!paths.includes(file)) return []
  const { staticImports, staticExports } = parseSync(file, read(file)).module
  const imported = staticImports.filter(
    ({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType),
  )
  const passedOn = staticExports.flatMap(({ entries }) => entries.filter(({ isType }) => !isType))
  return [...imported, ...passedOn].flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])
}
