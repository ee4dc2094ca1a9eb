import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import { afterAll, expect } from 'vitest'
import { must } from '#foundation/must.ts'

type Json = { [key: string]: unknown }
type Operation = { responses: Record<string, Json> }
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, { content?: { 'application/json': { schema: Json } } }> }
}

/** The interface that the account calls follow, as its authors describe it (django-allauth headless, app client). */
export const document = JSON.parse(
  readFileSync(new URL('allauth.openapi.json', import.meta.url), 'utf8'),
  (_name, value: Json) =>
    value?.['nullable'] ? { anyOf: [{ $ref: value['$ref'] }, { type: 'null' }] } : value,
) as Document

const ajv = new Ajv({ strict: false, allErrors: true })
ajv.addSchema(document, 'allauth')
const validators = new Map<string, ValidateFunction>()

/** The statuses that the product may answer though the document does not list them, each with its reason. */
const ours: Record<number, string> = {
  401: 'who is not signed in',
  403: 'signing up is closed',
  404: 'what is switched off',
  405: 'another method',
  409: 'already signed in',
  413: 'too large',
  415: 'no JSON',
  503: 'too busy',
}

/** Returns a sentence for each way in which an answer differs from the document. */
export function faultsOf(method: string, path: string, status: number, body: unknown): string[] {
  const operation = document.paths[path]?.[method.toLowerCase()]
  if (!operation) return []
  const where = `${method} ${path} answers ${status}`
  if ((body as { status?: unknown } | undefined)?.status !== status) return [`${where} without repeating it`]
  const response = operation.responses[status]
  if (!response) return status in ours ? [] : [`${where}, which is not in the document`]
  const validate = validatorOf(method, path, status, response)
  if (!validate || validate(body)) return []
  return (validate.errors ?? []).map((error) => `${where}: ${error.instancePath} ${error.message}`)
}

function validatorOf(
  method: string,
  path: string,
  status: number,
  response: Json,
): ValidateFunction | undefined {
  const key = `${method} ${path} ${status}`
  const known = validators.get(key)
  if (known) return known
  const pointer =
    typeof response['$ref'] === 'string'
      ? response['$ref'].slice(1)
      : `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${status}`
  const holder = pointer.startsWith('/components')
    ? document.components.responses[must(pointer.split('/').at(-1))]
    : (response as { content?: object })
  if (!holder?.content) return undefined
  const validate = ajv.compile({ $ref: `allauth#${encodeURI(pointer)}/content/application~1json/schema` })
  validators.set(key, validate)
  return validate
}

/**
 * Compares every answer of the account calls that the tests of a file get with the document. Call it once, at the top of the file; after
 * the last test it fails with the answers that do not fit.
 */
export function watchContract(): { seen: Set<string> } {
  const seen = new Set<string>()
  const faults = new Set<string>()
  const fetch = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init)
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    const method = init?.method ?? 'GET'
    if (pathname.startsWith('/api/allauth/')) {
      seen.add(`${method} ${pathname} ${response.status}`)
      if (response.headers.has('set-cookie')) faults.add(`${method} ${pathname} sets a cookie`)
      if (response.headers.get('cache-control') !== 'no-store')
        faults.add(`${method} ${pathname} may be cached`)
      const body: unknown = await response
        .clone()
        .json()
        .catch(() => undefined)
      for (const fault of faultsOf(method, pathname, response.status, body)) faults.add(fault)
    }
    return response
  }
  afterAll(() => {
    globalThis.fetch = fetch
    expect([...faults]).toEqual([])
  })
  return { seen }
}
