import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { routes } from '#app/server/features.ts'
import { must } from '#foundation/must.ts'
import type { Route } from '#foundation/contract.ts'
import { answersOf, sharedAnswers } from '#app/server/openapi/answers.ts'
import { SchemaPrinter, type Json } from '#app/server/openapi/schemas.ts'

/** An answer over HTTP: `type` is its media type, `body` its text. */
export type Answer = { method: string; path: string; status: number; type: string; body: string }

// Answers are printed as in the whole document, but only when they are needed: a test file makes few different calls.
const printer = new SchemaPrinter(true)
const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allowUnionTypes: true,
  // Most schemas check a few answers: to optimize their code takes as long as all the rest.
  code: { optimize: false },
})
addFormats.default(ajv)
ajv.addFormat('binary', true)
ajv.addFormat('idn-email', /^[^\s@]+@[^\s@]+$/)
ajv.addKeyword('components')
// A code that the document does not list is a fault here, though clients must expect codes that are not listed.
ajv.addKeyword({
  keyword: 'x-extensible-enum',
  validate: (codes: readonly string[], code: unknown) => codes.includes(code as string),
})

const contracts: readonly Route[] = routes.map((served) => served.contract)
/** The method and the number of parts of a path: a walk over all paths, with each of their patterns, took longer than to judge. */
const lengthOf = (method: string, path: string) => `${method} ${path.split('/').length}`
const withParameters = Map.groupBy(
  contracts
    .filter(({ path }) => path.includes('{'))
    .map((contract) => ({
      contract,
      fits: new RegExp(`^${contract.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    })),
  ({ contract }) => lengthOf(contract.method, contract.path),
)
const byPath = Map.groupBy(contracts, ({ path }): string => path)

/** Returns the contract of this path. A contract without parameters goes before one with parameters, as in the router. */
export function contractOf(method: string, path: string): Route | undefined {
  const exact = byPath.get(path)
  if (exact) return exact.find((contract) => contract.method === method)
  return withParameters.get(lengthOf(method, path))?.find(({ fits }) => fits.test(path))?.contract
}

/**
 * Returns the fault of an answer, or undefined: its status, its media type and all of its body must be in the API document
 * (rule 47). At paths that are no calls, only refusals are judged.
 */
export function misfitOf(answer: Answer): string | undefined {
  // The answer to HEAD never has a body.
  if (answer.method === 'HEAD') return undefined
  const contract = contractOf(answer.method, answer.path)
  if (contract) return misfitOfCall(contract, answer)
  if (answer.status < 400 || !answer.type.startsWith('application/json')) return undefined
  return misfitOfBody(anyRefusal(answer.status), answer.body)
}

function misfitOfCall(contract: Route, answer: Answer): string | undefined {
  const { status, type, body } = answer
  const declared = responsesOf(contract)[status]
  if (!declared) return `${status} is not declared: ${body.slice(0, 200)}`
  const { $ref } = declared
  const response = (typeof $ref === 'string' ? shared[must($ref.split('/').at(-1))] : declared) as Response
  if (!response.content) return body === '' ? undefined : `${status} has a body, and none is declared`
  const [mediaType, { schema }] = must(Object.entries(response.content)[0])
  if (mediaType !== '*/*' && !type.startsWith(mediaType)) return `${status} as '${type}', not ${mediaType}`
  if (mediaType !== 'application/json') return undefined
  return misfitOfBody(schema, body)
}

type Response = Json & { content?: Record<string, { schema: Json }> }

const shared = sharedAnswers() as Record<string, Response>

const responses = new Map<string, Record<string, Response>>()

function responsesOf(contract: Route): Record<string, Response> {
  let known = responses.get(contract.id)
  if (!known) {
    known = answersOf(contract, printer) as Record<string, Response>
    responses.set(contract.id, known)
  }
  return known
}

/** By the schema as text: most refusals of one status are declared alike, and compiling takes longer than all the rest. */
const validators = new Map<string, ValidateFunction>()
const validatorsBySchema = new WeakMap<Json, ValidateFunction>()

function validatorOf(schema: Json): ValidateFunction {
  const text = JSON.stringify(schema)
  const validate =
    validators.get(text) ?? ajv.compile({ ...schema, components: { schemas: namedIn(schema) } })
  validators.set(text, validate)
  validatorsBySchema.set(schema, validate)
  return validate
}

function misfitOfBody(schema: Json, body: string): string | undefined {
  const validate = validatorsBySchema.get(schema) ?? validatorOf(schema)
  if (validate(parsed(body))) return undefined
  return `${ajv.errorsText(validate.errors, { dataVar: 'body' })}: ${body.slice(0, 200)}`
}

/** Returns the named schemas that this one refers to, directly or by another one. With all of them, compiling takes twice as long. */
function namedIn(schema: Json, found: Record<string, Json> = {}): Record<string, Json> {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (name in found) continue
    const named = must(printer.components[name])
    found[name] = named
    namedIn(named, found)
  }
  return found
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Returns the schema of answers at paths that are no calls: the shape of all refusals, with any code. */
const anyRefusal = (status: number): Json => ({
  type: 'object',
  required: ['status'],
  additionalProperties: false,
  properties: {
    status: { enum: [status] },
    errors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['code', 'message'],
        additionalProperties: false,
        properties: { code: { type: 'string' }, param: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
})
