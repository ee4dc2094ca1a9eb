import type { Route } from '#foundation/contract.ts'
import { commonErrors } from '#foundation/errors.ts'
import { gone, unauthenticated } from '#foundation/session-contract.ts'
import { possibleErrors } from '#foundation/server/http/possible-errors.ts'
import { exampleOf } from './example.ts'
import type { Json, SchemaPrinter } from './schemas.ts'

/** Returns all answers of a call by status: its replies, and the refusals that its contract lists or that follow from the contract. */
export function answersOf(contract: Route, printer: SchemaPrinter): Json {
  const { id, replies, responseType, style, access } = contract
  const shown = statusOfExample(contract)
  const refusals = possibleErrors(contract)
  const answers: Json = {}
  for (const [status, schema] of Object.entries(replies)) {
    if (schema === null) {
      answers[status] = {
        description: said(status),
        ...(responseType && status === '200' ? fileOf(responseType) : {}),
      }
      continue
    }
    const codes = refusals.get(Number(status))
    const reply = printer.output(schema)
    answers[status] = {
      description: said(status),
      ...json(
        codes ? { anyOf: [reply, refusal(Number(status), codes)] } : reply,
        ...(status === shown ? [exampleOf(reply, printer.components, id)] : []),
      ),
    }
  }
  for (const [status, codes] of refusals) answers[status] ??= errorCodes(status, codes)
  // The access policy may answer any account call with 410, and with 401 unless anyone may call it.
  if (style === 'auth') answers[410] ??= { description: said('410'), ...json(printer.output(gone)) }
  if (style === 'auth' && access.who !== 'anyone')
    answers[401] ??= { description: said('401'), ...json(printer.output(unauthenticated)) }
  return answers
}

/** Returns the answers that many calls share; the document prints them once. */
export const sharedAnswers = (): Json =>
  Object.fromEntries(
    Object.entries(commonErrors)
      .filter(([status]) => !['403', '405'].includes(status))
      .map(([status, codes]) => [nameOf(status), answerOf(Number(status), codes)]),
  )

function errorCodes(status: number, codes: readonly string[]): Json {
  const common = new Map<number, readonly string[]>(
    Object.entries(commonErrors).map(([known, of]) => [Number(known), of]),
  ).get(status)
  const isCommon = status !== 403 && codes.length === common?.length
  return isCommon ? { $ref: `#/components/responses/${nameOf(String(status))}` } : answerOf(status, codes)
}

function answerOf(status: number, codes: readonly string[]): Json {
  return {
    description: `${said(String(status))}: ${codes.join(', ')}`,
    ...(status === 429 || status === 503 ? { headers: retryAfter } : {}),
    ...json(refusal(status, codes)),
  }
}

const retryAfter: Json = {
  'Retry-After': {
    description: 'Seconds after which to ask again.',
    schema: { type: 'integer', format: 'int32' },
  },
}

/** Returns the schema of a refusal. Its list of codes is open (`x-extensible-enum`), because codes may be added. */
function refusal(status: number, codes: readonly string[]): Json {
  return {
    type: 'object',
    required: ['status'],
    properties: {
      status: { type: 'integer', format: 'int32', enum: [status] },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['code', 'message'],
          properties: {
            code: { type: 'string', 'x-extensible-enum': codes },
            param: { type: 'string' },
            message: { type: 'string' },
          },
        },
      },
    },
  }
}

const json = (schema: Json, ...[example]: unknown[]): Json => ({
  content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
})

/** Returns the status of the answer that is shown as the example of a call: the success, or for an account call perhaps a 401. */
function statusOfExample({ replies, style }: Route): string | undefined {
  const statuses = Object.keys(replies).filter((status) => replies[Number(status)] !== null)
  return statuses.find((status) => status.startsWith('2')) ?? (style === 'auth' ? statuses[0] : undefined)
}

// An uploaded file is sent with its own media type.
const fileOf = (gives: string): Json => ({
  content: { [gives === 'any' ? '*/*' : gives]: { schema: { type: 'string', format: 'binary' } } },
})

const descriptions: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Made',
  202: 'Taken, and done later',
  204: 'Done; there is nothing to tell',
  400: 'Something in the request is wrong',
  401: 'Not signed in, or a proof of identity is wanted',
  402: 'There is not enough money',
  403: 'Not allowed',
  404: 'Not there, or not yours',
  409: 'It does not go with what is there',
  410: 'The session that was named is over',
  413: 'Too large',
  415: 'Not in this media type',
  422: 'The idempotency key was used for another request',
  429: 'Too often',
  500: 'A fault of ours',
  503: 'Out of order for a moment',
}

const said = (status: string): string => descriptions[status] ?? status

/** Returns the name of an answer that several calls share. */
export function nameOf(status: string): string {
  return (descriptions[status] ?? '')
    .replaceAll(/[^a-z ]/gi, '')
    .replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase())
}
