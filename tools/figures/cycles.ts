import type { Import, SourceFile } from './read-code.ts'

/**
 * Returns the groups of files that import each other in a circle (Tarjan's algorithm). Only imports for which `counts` is true are
 * followed.
 */
export function cycles(files: readonly SourceFile[], counts: (one: Import) => boolean): string[][] {
  const next = new Map(files.map((file) => [file.path, file.imports.filter(counts).map(({ to }) => to)]))
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const found: string[][] = []
  const walk = (path: string): number => {
    let lowest = order.size
    order.set(path, lowest)
    open.push(path)
    for (const to of next.get(path) ?? []) {
      if (!next.has(to)) continue
      const reached = order.has(to) ? (open.includes(to) ? (order.get(to) ?? Infinity) : Infinity) : walk(to)
      lowest = Math.min(lowest, reached)
    }
    low.set(path, lowest)
    if (lowest === order.get(path)) {
      const group = open.splice(open.indexOf(path))
      if (group.length > 1) found.push(group.toSorted())
    }
    return lowest
  }
  for (const path of next.keys()) if (!order.has(path)) walk(path)
  return found
}
