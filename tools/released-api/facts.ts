import { isObject, type Json } from './json.ts'

/**
 * Returns what a program may lean on, one fact a line, of an API document: the calls, what they take, what they answer and how they
 * refuse, and the events that webhooks send. A named schema is told once. A line that is gone later is a break, and so is a new line with
 * `needs` of a call that was there before.
 */
export function factsOf(document: Json): Set<string> {
  const facts = new Set<string>()
  for (const [path, methods] of Object.entries(child(document, 'paths')))
    for (const [method, operation] of Object.entries(isObject(methods) ? methods : {}))
      if (isObject(operation)) tellCall(`${method.toUpperCase()} ${path}`, operation, document, facts)
  for (const [type, methods] of Object.entries(child(document, 'webhooks')))
    for (const content of contentsOf(child(child(methods, 'post'), 'requestBody'), document))
      for (const part of listOf(child(content, 'schema')['allOf']).filter(isObject))
        tellSchema(`webhook ${type} body`, part, 'gives', facts)
  for (const [name, schema] of Object.entries(child(child(document, 'components'), 'schemas')))
    if (isObject(schema)) tellSchema(name, schema, 'gives', facts)
  return facts
}

function tellCall(call: string, operation: Json, document: Json, facts: Set<string>): void {
  facts.add(`${call} is ${String(operation['operationId'])}`)
  for (const given of listOf(operation['parameters'])) {
    const parameter = followed(given, document)
    const name = `${String(parameter['in'])}.${String(parameter['name'])}`
    tellSchema(`${call} ${name}`, child(parameter, 'schema'), 'takes', facts)
    if (parameter['required'] === true) facts.add(`${call} needs ${name}`)
  }
  const body = child(operation, 'requestBody')
  for (const [type, content] of Object.entries(child(body, 'content'))) {
    const place = type === 'application/json' ? `${call} body` : `${call} body as ${type}`
    tellSchema(place, child(content, 'schema'), 'takes', facts)
    if (body['required'] === true) facts.add(`${call} needs body`)
  }
  for (const [status, answer] of Object.entries(child(operation, 'responses'))) {
    if (!status.startsWith('2')) {
      for (const content of contentsOf(answer, document))
        for (const form of formsOf(child(content, 'schema'))) tellRefusal(call, status, form, facts)
      continue
    }
    facts.add(`${call} answers ${status}`)
    for (const [type, content] of Object.entries(child(followed(answer, document), 'content')))
      tellSchema(
        `${call} ${status} ${type === 'application/json' ? '' : type}`.trim(),
        child(content, 'schema'),
        'gives',
        facts,
      )
  }
}

/** Tells each error code of a refusal, and the shape of an answer that says more than codes. */
function tellRefusal(call: string, status: string, form: Json, facts: Set<string>): void {
  const error = child(child(child(form, 'properties'), 'errors'), 'items')
  const codes = listOf(child(child(error, 'properties'), 'code')['x-extensible-enum'])
  for (const code of codes) facts.add(`${call} refuses with ${status} ${String(code)}`)
  if (codes.length === 0) tellSchema(`${call} ${status}`, form, 'gives', facts)
}

type Way = 'takes' | 'gives'

function tellSchema(place: string, schema: Json, way: Way, facts: Set<string>): void {
  const forms = formsOf(schema)
  facts.add(`${place} ${way} ${forms.map(typeOf).toSorted().join('|')}`)
  for (const form of forms) {
    const required = listOf(form['required'])
    for (const [name, inner] of Object.entries(child(form, 'properties'))) {
      if (!isObject(inner)) continue
      tellSchema(`${place}.${name}`, inner, way, facts)
      const must = way === 'takes' ? `${callOf(place)} needs` : 'always has'
      if (required.includes(name))
        facts.add(way === 'takes' ? `${must} ${placeIn(place)}.${name}` : `${place} ${must} ${name}`)
    }
    for (const [mark, key] of [
      ['[]', 'items'],
      ['{}', 'additionalProperties'],
    ] as const)
      if (isObject(form[key])) tellSchema(`${place}${mark}`, form[key], way, facts)
    for (const value of way === 'takes' ? listOf(form['enum']) : [])
      facts.add(`${place} may be ${String(value)}`)
  }
}

// A place of a request is `POST /api/hosts/ body.name`.
const callOf = (place: string): string => place.split(' ').slice(0, 2).join(' ')
const placeIn = (place: string): string => place.split(' ').slice(2).join(' ')

/** Returns the forms that a value may have: one for each type of a list of types and for each part of `anyOf` and `oneOf`. */
function formsOf(schema: Json): Json[] {
  const parts = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].filter(isObject)
  if (parts.length > 0) return parts.flatMap(formsOf)
  return Array.isArray(schema['type'])
    ? schema['type'].map((type: unknown) => ({ ...schema, type }))
    : [schema]
}

function typeOf({ $ref, type, format }: Json): string {
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? ''
  return format === 'binary' ? 'file' : typeof type === 'string' ? type : 'anything'
}

function followed(value: unknown, document: Json): Json {
  if (!isObject(value)) return {}
  const { $ref } = value
  if (typeof $ref !== 'string') return value
  return $ref
    .split('/')
    .slice(1)
    .reduce<Json>((inner, key) => child(inner, key), document)
}

const contentsOf = (value: unknown, document: Json): unknown[] =>
  Object.values(child(followed(value, document), 'content'))

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const child = (value: unknown, key: string): Json => {
  const inner = isObject(value) ? value[key] : undefined
  return isObject(inner) ? inner : {}
}
