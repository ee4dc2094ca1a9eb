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
        return { code: strippedOf(code, this.parse(code)), map: null }
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
  // The edits are made from the end, so that the positions of earlier ones stay true.
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code)
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
