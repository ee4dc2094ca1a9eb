import * as z from 'zod/mini'
import { printed, type Printed } from '#foundation/printed.ts'

export type Json = { [key: string]: unknown }

/**
 * Prints the schemas of contracts as JSON Schema. A named schema of an answer is printed once and referred to; the schema of a
 * request is printed in place, but for those that say `as`. `closed` forbids further fields in answers, for tests. In the published document answers are
 * open, so that a field that is added later breaks no program that was generated before.
 */
export class SchemaPrinter {
  readonly components: Record<string, Json> = {}
  private readonly closed: boolean

  constructor(closed: boolean) {
    this.closed = closed
  }

  input(schema: z.ZodMiniType): Json {
    const json = printOf(schema, 'input', withoutNames)
    return tidiedSchema(this.closed ? json : referring(json), true)
  }

  output(schema: z.ZodMiniType): Json {
    // The schema is printed as the item of a list, because zod prints a name only for a schema inside another one.
    const { items, $defs } = printOf(z.array(schema), 'output', printed)
    for (const [name, definition] of Object.entries(jsonOf($defs))) this.keep(name, jsonOf(definition))
    return tidiedSchema(jsonOf(items), this.closed)
  }

  private keep(name: string, definition: Json): void {
    const { id: _, ...nameless } = definition
    const text = tidiedSchema(nameless, this.closed)
    const other = this.components[name]
    if (other && JSON.stringify(other) !== JSON.stringify(text))
      throw new Error(`Two schemas of the API have the name ${name}.`)
    this.components[name] = text
  }
}

/** The registry of printed schemas, without their names. */
class Nameless extends z.core.$ZodRegistry<Printed> {
  override get(schema: z.core.$ZodType) {
    const { id: _, ...rest } = printed.get(schema) ?? {}
    return rest
  }
}
const withoutNames = new Nameless()

/** Refers to the schema of an answer where a part of a request has the same shape (`as`). */
const referring = (json: Json): Json =>
  jsonOf(
    JSON.parse(
      JSON.stringify(json, (_, part: unknown) => {
        const { as } = jsonOf(part)
        return typeof as === 'string' ? { $ref: `#/components/schemas/${as}` } : part
      }),
    ),
  )

function printOf(schema: z.ZodMiniType, io: 'input' | 'output', metadata: typeof printed): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', metadata })
  return json
}

/** Returns a schema in the form that generators and readers need: a format for each number, `enum` for a constant, no superfluous keys. */
function tidied(value: unknown, closed: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => tidied(item, closed))
  return isJson(value) ? tidiedSchema(value, closed) : value
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null
export const jsonOf = (value: unknown): Json => (isJson(value) ? value : {})

function tidiedSchema(schema: Json, closed: boolean): Json {
  if (Array.isArray(schema['type'])) return tidiedSchema(apart(schema, schema['type']), closed)
  const { const: only, usual, as: __, propertyNames: _, ...rest } = schema
  const json: Json = {
    ...rest,
    ...(only === undefined ? {} : constant(only)),
    ...(usual === undefined ? {} : { default: usual }),
  }
  if (json['type'] === 'integer' || json['type'] === 'number') tidyNumber(json)
  if (json['format'] === 'uuid') delete json['pattern']
  if (!closed && json['additionalProperties'] === false) delete json['additionalProperties']
  if (typeof json['$ref'] === 'string')
    json['$ref'] = json['$ref'].replace('#/$defs/', '#/components/schemas/')
  return Object.fromEntries(Object.entries(json).map(([key, inner]) => [key, tidied(inner, closed)]))
}

/** Returns a list of types, `["string", "null"]`, as one schema for each type, because generators for 3.0 read no such list. */
function apart(schema: Json, types: readonly unknown[]): Json {
  const { type: _, description, ...rest } = schema
  const one = (type: unknown) => (type === 'null' ? { type } : { ...rest, type })
  return { ...(description === undefined ? {} : { description }), anyOf: types.map(one) }
}

/**
 * Returns a constant as generators read it: a status is a whole number, and a boolean has no choices, because what openapi-generator
 * makes of either in Java does not compile.
 */
function constant(only: unknown): Json {
  if (typeof only === 'boolean') return { description: `Only ${only}.` }
  return { enum: [only], ...(Number.isInteger(only) && { type: 'integer' }) }
}

function tidyNumber(json: Json): void {
  // The pattern of a number in a query says that it is written in digits, which its type says, too.
  delete json['pattern']
  if (json['minimum'] === Number.MIN_SAFE_INTEGER) delete json['minimum']
  if (json['maximum'] === Number.MAX_SAFE_INTEGER) delete json['maximum']
  json['format'] ??= json['type'] === 'integer' ? 'int32' : 'double'
}
