import { jsonOf, type Json } from './schemas.ts'

/**
 * Replaces equal examples of one schema in several answers by references to one example, in place. Returns these examples by the name
 * of the schema.
 */
export function shareExamples(paths: Readonly<Record<string, Json>>): Json {
  const answers = Object.values(paths)
    .flatMap((path) => Object.values(path).map(jsonOf))
    .flatMap((operation) => Object.values(jsonOf(operation['responses'])))
    .flatMap((answer) => {
      const content = jsonOf(jsonOf(jsonOf(answer)['content'])['application/json'])
      const name = schemaName(content)
      return name !== undefined && 'example' in content
        ? [{ content, name, text: JSON.stringify(content['example']) }]
        : []
    })
  const shared: Json = {}
  for (const [name, ofSchema] of Map.groupBy(answers, (answer) => answer.name)) {
    const same = ofSchema.filter(({ text }) => text === ofSchema[0]?.text)
    const [first] = same
    if (!first || same.length < 2) continue
    shared[name] = { value: first.content['example'] }
    for (const { content } of same) {
      delete content['example']
      content['examples'] = { [name]: { $ref: `#/components/examples/${name}` } }
    }
  }
  return shared
}

/** Returns the name of the schema, such as `Host`, if the schema is nothing but a reference. */
function schemaName(content: Json): string | undefined {
  const schema = jsonOf(content['schema'])
  const to = schema['$ref']
  return typeof to === 'string' && Object.keys(schema).length === 1 ? to.split('/').at(-1) : undefined
}
