import { fieldNames } from './field-names.ts'
import type { core } from 'zod/mini'
import type { Route } from '#foundation/contract.ts'
import type { App } from '#foundation/server/app.ts'
import type { ErrorCode } from '#texts/errors.js'
import { isErrorCode } from './english-text.ts'
import { HttpError, type FieldError } from './http-error.ts'
import { readBy } from './read-by.ts'

type Raw = { params: unknown; query: unknown; headers: unknown; body: unknown }
export type Parsed = { params: unknown; query: unknown; headers: unknown; body: unknown }

/**
 * Checks what a schema cannot (a password against the list of common ones), on the body before parsing. It runs even if the schema refuses
 * the body, so that a caller learns of all wrong fields at once.
 */
export type Judge = (app: App, body: Given, headers: Given) => readonly FieldError[]
type Given = Readonly<Record<string, unknown>>

/** Checks all parts that the contract declares and reports all errors at once, in the order of the fields. */
export function parseInput(
  contract: Route,
  raw: Raw,
  judge?: (body: Given, headers: Given) => readonly FieldError[],
): Parsed {
  const refusals: FieldError[] = []
  const parsed: Parsed = { params: undefined, query: undefined, headers: undefined, body: undefined }
  for (const part of ['params', 'headers', 'query', 'body'] as const) {
    const schema = contract[part]
    if (!schema) continue
    // No body and a null body count as an empty object, so that each missing field is named.
    const value = part === 'body' ? (raw.body ?? {}) : raw[part]
    const result = readBy(schema, value)
    if (result.success) parsed[part] = result.data
    else if (part === 'params') throw new HttpError(404, [{ code: 'not_found' }])
    else refusals.push(...fieldErrorsOf(result.error, value))
  }
  const judged = judge?.(recordOf(raw.body), recordOf(raw.headers)) ?? []
  refusals.push(...judged.filter(({ param }) => !refusals.some((refusal) => refusal.param === param)))
  if (refusals.length > 0) throw new HttpError(400, inFieldOrder(contract, refusals))
  return parsed
}

const recordOf = (value: unknown): Given =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}

/** Orders errors: query and headers first, then the body's fields as the contract lists them, then unknown fields. */
function inFieldOrder({ body }: Route, refusals: readonly FieldError[]): FieldError[] {
  const fields = fieldNames(body)
  const place = ({ code, param = '' }: FieldError) =>
    code === 'unknown_field' ? fields.length : fields.indexOf(param)
  return refusals.toSorted((one, other) => place(one) - place(other))
}

/** Returns at most one refusal for each field: the first that the schema found. */
function fieldErrorsOf(error: core.$ZodError, value: unknown): FieldError[] {
  const refusals = new Map<string, FieldError>()
  for (const issue of error.issues.flatMap(ofTheFittingForm)) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) refusals.set(key, { code: 'unknown_field', param: key })
      continue
    }
    const param = issue.path.map(String).join('.')
    const code = codeOf(issue, value)
    if (!refusals.has(param)) refusals.set(param, param ? { code, param } : { code })
  }
  return [...refusals.values()]
}

/** Returns the issues of one form of a union, if the value has the shape of exactly one of its forms; else the issue of the whole union. */
function ofTheFittingForm(issue: core.$ZodIssue): core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const fitting = issue.errors.filter((inner) =>
    inner.every(({ code, path }) => path.length > 0 || code === 'unrecognized_keys'),
  )
  const [only] = fitting
  if (!only || fitting.length > 1) return [issue]
  return only.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
}

// The messages of our own schemas are error codes; the messages of zod's own checks are sentences.
function codeOf(issue: core.$ZodIssue, value: unknown): ErrorCode {
  const { message } = issue
  if (isErrorCode(message)) return message
  if (/^[a-z0-9_]+$/.test(message))
    throw new Error(`A schema refuses with ${message}, which is no error code.`)
  if (issue.code === 'invalid_type' && at(value, issue.path) === undefined) return 'required'
  return issue.code === 'too_big' ? 'max_length' : 'invalid'
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )
}
