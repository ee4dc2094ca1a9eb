import type { Plugin, Rolldown } from 'vite'

/**
 * Fails the build where a chunk exports what it has not: browsers refuse such a file, and no page opens. It happens when
 * the groups of the build cut a part in two that belongs together.
 */
export function soundChunks(): Plugin {
  return {
    name: 'hostdesk:sound-chunks',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue
        const missing = missingIn(this.parse(file.code))
        if (missing.length > 0)
          this.error(`${file.name} (${file.fileName}) exports what it has not: ${missing.join(', ')}`)
      }
    },
  }
}

type Program = ReturnType<Rolldown.PluginContext['parse']>
type Statement = Program['body'][number]
type Pattern = Extract<Statement, { type: 'VariableDeclaration' }>['declarations'][number]['id']

/** The names that `export { name }` tells of, and that no import and no declaration of the module makes. */
function missingIn({ body }: Program): string[] {
  const known = new Set(body.flatMap(namesOf))
  return body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.source) return []
    const names = statement.specifiers.map(({ local }) => ('name' in local ? local.name : ''))
    return names.filter((name) => !known.has(name))
  })
}

function namesOf(statement: Statement): string[] {
  switch (statement.type) {
    case 'ImportDeclaration':
      return statement.specifiers.map(({ local }) => local.name)
    case 'VariableDeclaration':
      return statement.declarations.flatMap(({ id }) => namesIn(id))
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return statement.id ? [statement.id.name] : []
    case 'ExportNamedDeclaration':
      return statement.declaration ? namesOf(statement.declaration) : []
    default:
      return []
  }
}

/** The names of a declaration, also by destructuring. */
function namesIn(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name]
    case 'ObjectPattern':
      return pattern.properties.flatMap((part) =>
        namesIn(part.type === 'RestElement' ? part.argument : part.value),
      )
    case 'ArrayPattern':
      return pattern.elements.flatMap((part) => (part ? namesIn(part as Pattern) : []))
    case 'AssignmentPattern':
      return namesIn(pattern.left)
    default:
      return []
  }
}
