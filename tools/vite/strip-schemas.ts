import path from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/**
 * The browser needs a contract's method, path and style; its schemas are checked by the server alone. Without
 * them the bundle loses zod and every schema that nothing else in the browser uses.
 * A shared file is one that lies directly in `foundation/`, `features/x/` or a part of support.
 */
export function stripSchemas(root = process.cwd()): Plugin {
  return {
    name: 'hostdesk:strip-schemas',
    apply: 'build',
    transform: {
      order: 'post',
      handler(code, id) {
        const file = path.relative(root, id.split('?')[0] ?? id)
        if (!isShared(file)) return null
        const parse = (text: string) => this.parse(text)
        return { code: withoutUnread(strippedOf(code, parse(code)), parse), map: null }
      },
    },
  }
}

const isShared = (file: string): boolean =>
  /^(foundation|features\/(?:support\/(?!server\/|web\/))?[^/]+)\/[^/]+\.ts$/u.test(file)

const KEPT = new Set(['method', 'path', 'style'])

type Program = ReturnType<Rolldown.PluginContext['parse']>
type Declaration = Extract<Program['body'][number], { type: 'VariableDeclaration' }>
type Expression = NonNullable<Declaration['declarations'][number]['init']>
type Range = { start: number; end: number }
type Edit = Range & { text: string }
type Parse = (code: string) => Program

/**
 * Keeps three properties of each `route({…})`, removes the statements that name schemas, and marks every initial value as free to
 * drop if nobody uses it.
 */
function strippedOf(code: string, program: Program): string {
  const edits: Edit[] = []
  for (const statement of program.body) {
    if (isNaming(statement)) {
      edits.push({ start: statement.start, end: statement.end, text: '' })
      continue
    }
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type !== 'VariableDeclaration') continue
    for (const { init } of declaration.declarations) if (init) edits.push(...editsFor(init, code))
  }
  return edited(code, edits)
}

/** Makes the edits from the end, so that the positions of earlier ones stay true. */
const edited = (code: string, edits: readonly Edit[]): string =>
  edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code)

/**
 * Drops what the removed schemas alone have read: values that are not exported, and the imports. A chunk that names a file gets all that
 * the file imports, whether it is used or not: the list of servers had the labels of the profile and the digits of all scripts.
 */
function withoutUnread(code: string, parse: Parse): string {
  const edits = parse(code).body.flatMap((statement): Edit[] => {
    const { start, end } = statement
    const isRead = (name: string) =>
      new RegExp(String.raw`(?<![\w$])${name.replaceAll('$', String.raw`\$`)}(?![\w$])`, 'u').test(
        code.slice(0, start) + code.slice(end),
      )
    if (statement.type === 'VariableDeclaration') {
      const names = statement.declarations.map(({ id }) => (id.type === 'Identifier' ? id.name : undefined))
      return names.every((name) => name !== undefined && !isRead(name)) ? [{ start, end, text: '' }] : []
    }
    if (statement.type !== 'ImportDeclaration' || statement.specifiers.length === 0) return []
    return statement.specifiers.some(({ local }) => isRead(local.name)) ? [] : [{ start, end, text: '' }]
  })
  return edits.length === 0 ? code : withoutUnread(edited(code, edits), parse)
}

/** True for a statement like `named('Host', host)`, which gives a schema its name in the API document. */
const isNaming = (statement: Program['body'][number]): boolean =>
  statement.type === 'ExpressionStatement' &&
  statement.expression.type === 'CallExpression' &&
  statement.expression.callee.type === 'Identifier' &&
  statement.expression.callee.name === 'named'

function editsFor(init: Expression, code: string): Edit[] {
  const argument = init.type === 'CallExpression' ? init.arguments[0] : undefined
  const isRoute =
    init.type === 'CallExpression' && init.callee.type === 'Identifier' && init.callee.name === 'route'
  if (isRoute && argument?.type === 'ObjectExpression') {
    const kept = argument.properties.filter(
      (property) =>
        property.type === 'Property' && property.key.type === 'Identifier' && KEPT.has(property.key.name),
    )
    const text = kept.map((property) => code.slice(property.start, property.end)).join(', ')
    return [{ start: init.start, end: init.end, text: `/*#__PURE__*/ route({ ${text} })` }]
  }
  if (!EAGER.has(init.type)) return []
  return [
    {
      start: init.start,
      end: init.end,
      text: `/*#__PURE__*/ (() => (${code.slice(init.start, init.end)}))()`,
    },
  ]
}

/** The kinds of expression that run when the module loads, and would stay in the bundle though nobody uses them. */
const EAGER = new Set([
  'CallExpression',
  'NewExpression',
  'ArrayExpression',
  'ObjectExpression',
  'TSAsExpression',
])
