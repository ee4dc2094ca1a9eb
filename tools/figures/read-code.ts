import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'

/** An import. `type` is true if it imports only types, so that nothing of it is left when the program runs. */
export type Import = { to: string; type: boolean }

export type SourceFile = {
  path: string
  lines: number
  /** The length of each function, in lines. */
  functions: readonly number[]
  /** Types that are asserted rather than checked: `casts` counts `as X` (but for `as const` and `as unknown`), `nonNull` counts `x!`. */
  casts: number
  nonNull: number
  anys: number
  /** The names that it declares for others. */
  exports: number
  imports: readonly Import[]
}

/** Returns the program's own source files without tests, with the counts that the figures need. */
export const readCode = (): SourceFile[] =>
  globSync('{app,features,foundation}/**/*.{ts,tsx}')
    .filter((file) => !/\.(test|e2e)\.tsx?$|\.d\.ts$|\/database\/tables\.ts$/.test(file))
    .toSorted()
    .map(readFile)

type Node = { type: string; start: number; end: number } & Record<string, unknown>

function readFile(file: string): SourceFile {
  const text = readFileSync(file, 'utf8')
  const { program } = parseSync(file, text)
  const functions: number[] = []
  const imports: Import[] = []
  let [casts, nonNull, anys, exports] = [0, 0, 0, 0]
  const linesOf = ({ start, end }: Node) => text.slice(start, end).split('\n').length
  const root: unknown = program
  if (!isNode(root)) throw new Error(`${file} is no program`)
  visit(root, (node) => {
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type))
      functions.push(linesOf(node))
    else if (node.type === 'TSAsExpression') casts += isSafe(node, text) ? 0 : 1
    else if (node.type === 'TSNonNullExpression') nonNull += 1
    else if (node.type === 'TSAnyKeyword') anys += 1
    else imports.push(...importOf(node, file))
    if (node.type === 'ExportNamedDeclaration') exports += namesIn(node)
  })
  return {
    path: file,
    lines: text.trimEnd().split('\n').length,
    functions,
    casts,
    nonNull,
    anys,
    exports,
    imports,
  }
}

function visit(node: Node, seen: (node: Node) => void): void {
  seen(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isNode(child)) visit(child, seen)
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** The number of names that an export declares; names that it passes on from another file do not count. */
function namesIn({ declaration, specifiers, source }: Node): number {
  if (isNode(source)) return 0
  const listed = isNode(declaration) ? (declaration['declarations'] ?? [declaration]) : specifiers
  return Array.isArray(listed) ? listed.length : 0
}

/** `as const` and `as unknown` assert nothing. */
const isSafe = ({ typeAnnotation }: Node, text: string): boolean =>
  isNode(typeAnnotation) && /^(?:const|unknown)$/.test(text.slice(typeAnnotation.start, typeAnnotation.end))

function importOf(node: Node, from: string): Import[] {
  if (!/^(ImportDeclaration|ExportNamedDeclaration|ExportAllDeclaration|ImportExpression)$/.test(node.type))
    return []
  const { source } = node
  const named = isNode(source) ? source['value'] : undefined
  const to = typeof named === 'string' ? ownFile(named, from) : undefined
  if (to === undefined) return []
  const listed = node['specifiers']
  const specifiers = Array.isArray(listed) ? listed.filter(isNode) : []
  const isType = (kind: unknown) => kind === 'type'
  const type =
    isType(node['importKind'] ?? node['exportKind']) ||
    (specifiers.length > 0 && specifiers.every((one) => isType(one['importKind'] ?? one['exportKind'])))
  return [{ to, type }]
}

/** The path of the file of ours that `from` imports by this name; undefined for packages and generated files. */
export function ownFile(name: string, from: string): string | undefined {
  if (name.startsWith('.')) return path.posix.join(path.posix.dirname(from), name)
  return /^#(?:app|features|foundation|database|agent|clients|tests|tools)\//.test(name)
    ? name.slice(1)
    : undefined
}
