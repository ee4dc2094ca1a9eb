import { byForm } from './example-forms.ts'
import { values } from './example-values.ts'
import type { Json } from './schemas.ts'
import { must } from '#foundation/must.ts'

type Components = Readonly<Record<string, Json>>

/**
 * Returns an example for a printed schema, so that the example changes with the schema: each field gets a value by its name or
 * its format (example-values.ts), a list has one item, and of several shapes the first is taken. A test validates each example
 * by the contract and requires a value for each text.
 */
export function exampleOf(schema: Json, components: Components, name: string, inside = ''): unknown {
  const { $ref, anyOf, oneOf, enum: choices, type, items, properties } = schema as Printed
  if ($ref) return exampleOf(must(components[must($ref.split('/').at(-1))]), components, name, inside)
  if (schema['default'] !== undefined) return schema['default']
  if (choices) return choices[0]
  const shape = (anyOf ?? oneOf)?.find((one) => one['type'] !== 'null')
  if (shape) return exampleOf(shape, components, name, inside)
  const named = [...(values[`${inside}.${name}`] ?? []), ...(values[name] ?? [])]
  if (type === 'array') return named.find(Array.isArray) ?? [exampleOf(items ?? {}, components, name, inside)]
  // A whole object is taken under its full name alone: another one of the same name has other fields.
  const whole = values[`${inside}.${name}`]?.find(isObject)
  if (whole && type === 'object') return whole
  if (properties) {
    const fields = Object.entries(properties)
    // The fields in a wrapper (`items`, `data`) belong to the object around the wrapper.
    const thing = wraps.has(name) ? inside : name
    return Object.fromEntries(
      fields.map(([field, inner]) => [field, exampleOf(inner, components, field, thing)]),
    )
  }
  return [...named, ...formed(schema), name].find((value) => fits(value, schema))
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

const wraps = new Set(['items', 'data'])

type Printed = {
  $ref?: string
  anyOf?: Json[]
  oneOf?: Json[]
  enum?: unknown[]
  type?: string
  items?: Json
  properties?: Record<string, Json>
}

/** Returns the values to try for a field that has no value by name: none for a text without format and pattern, which must have one. */
const formed = ({ type, format, pattern }: Json) =>
  [type].flat().includes('string') && format === undefined && pattern === undefined ? [] : byForm

function fits(value: unknown, { type, format, pattern }: Json): boolean {
  if (typeof value === 'string' && typeof pattern === 'string' && !new RegExp(pattern).test(value))
    return false
  if (typeof format === 'string' && !(forms[format]?.(value) ?? true)) return false
  if (type === undefined) return true
  return [type]
    .flat()
    .some((one) => one === kindOf(value) || (one === 'number' && kindOf(value) === 'integer'))
}

const kindOf = (value: unknown) => (Number.isInteger(value) ? 'integer' : typeof value)

const isLike = (form: RegExp) => (value: unknown) => typeof value === 'string' && form.test(value)

const forms: Readonly<Record<string, (value: unknown) => boolean>> = {
  'date-time': isLike(/^\d{4}-\d\d-\d\dT/),
  uuid: isLike(/^[\da-f]{8}-[\da-f-]{27}$/),
  'idn-email': isLike(/@/),
  ipv4: isLike(/^(?:\d+\.){3}\d+$/),
  'uri-reference': isLike(/^(?:https:\/)?\//),
  // The 3 of `byForm` does not fit, so that the example of a number with a fraction is a time in Unix seconds.
  double: (value) => typeof value === 'number' && value !== 3,
  int32: (value) => typeof value === 'number' && value < 2 ** 31,
}
