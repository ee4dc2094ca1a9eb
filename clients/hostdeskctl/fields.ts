import * as z from 'zod/mini'

/** A field of a request as it is typed behind an option. */
export type Field = {
  name: string
  kind: 'text' | 'integer' | 'boolean' | 'money' | 'json'
  isList: boolean
  isRequired: boolean
  /** True if the word `null` stands for no value. */
  isNullable: boolean
  choices: string[]
  usual?: string
}

type Schemas = Readonly<Record<string, unknown>>

const schemaOf = z.object({
  $ref: z.optional(z.string()),
  type: z.optional(z.union([z.string(), z.array(z.string())])),
  enum: z.optional(z.array(z.unknown())),
  default: z.optional(z.union([z.string(), z.number(), z.boolean()])),
  items: z.optional(z.unknown()),
  properties: z.optional(z.record(z.string(), z.unknown())),
  required: z._default(z.array(z.string()), []),
  anyOf: z._default(z.array(z.unknown()), []),
  oneOf: z._default(z.array(z.unknown()), []),
  allOf: z._default(z.array(z.unknown()), []),
})
type Schema = z.output<typeof schemaOf>

/** Returns the fields of a body. A body with alternatives has the fields of all of them; none of its fields is required then. */
export function fieldsOfBody(given: unknown, schemas: Schemas): Field[] {
  const alternatives = alternativesIn(given, schemas).filter(({ properties }) => properties !== undefined)
  const found = new Map<string, Field>()
  for (const { properties = {}, required } of alternatives)
    for (const [name, schema] of Object.entries(properties))
      if (!found.has(name)) {
        const isRequired = alternatives.length === 1 && required.includes(name)
        found.set(name, fieldOf(name, isRequired, schema, schemas))
      }
  return [...found.values()]
}

/** Returns the fields of a query. */
export const fieldsOf = (
  parameters: readonly { name: string; required: boolean; schema?: unknown }[],
  schemas: Schemas,
): Field[] => parameters.map(({ name, required, schema }) => fieldOf(name, required, schema, schemas))

function fieldOf(name: string, isRequired: boolean, schema: unknown, schemas: Schemas): Field {
  const all = alternativesIn(schema, schemas)
  const list = all.find((one) => isOf(one, 'array'))
  const meant = list && isPlain(list.items, schemas) ? alternativesIn(list.items, schemas) : all
  const usual = all.find((one) => one.default !== undefined)?.default
  return {
    name,
    kind: kindOf(meant),
    isList: list !== undefined && isPlain(list.items, schemas),
    isRequired,
    isNullable: all.some((one) => isOf(one, 'null')),
    choices: meant.flatMap((one) => one.enum ?? []).filter((choice) => typeof choice === 'string'),
    ...(usual === undefined ? {} : { usual: String(usual) }),
  }
}

/** Returns a schema without references, and each of its alternatives by itself. */
function alternativesIn(given: unknown, schemas: Schemas): Schema[] {
  const schema = schemaOf.parse(given ?? {})
  if (schema.$ref !== undefined)
    return alternativesIn(schemas[schema.$ref.replace('#/components/schemas/', '')], schemas)
  const inner = [...schema.anyOf, ...schema.oneOf, ...schema.allOf]
  return inner.length === 0
    ? [schema]
    : [
        { default: schema.default, required: [], anyOf: [], oneOf: [], allOf: [] },
        ...inner.flatMap((one) => alternativesIn(one, schemas)),
      ]
}

const isOf = ({ type }: Schema, name: string): boolean =>
  Array.isArray(type) ? type.includes(name) : type === name

const isPlain = (items: unknown, schemas: Schemas): boolean =>
  ['text', 'integer'].includes(kindOf(alternativesIn(items, schemas)))

/** Returns how a value is typed. An amount is typed as people write it, also where its bare number is read, too. */
function kindOf(alternatives: readonly Schema[]): Field['kind'] {
  const has = (name: string) => alternatives.some((one) => isOf(one, name))
  if (alternatives.some(({ properties = {} }) => 'amount' in properties && 'currency' in properties))
    return 'money'
  if (has('object') || has('array')) return 'json'
  if (has('string')) return 'text'
  if (has('integer')) return 'integer'
  return has('boolean') ? 'boolean' : 'json'
}
