import * as z from 'zod/mini'
import type { Route, Who } from '#foundation/contract.ts'
import { fieldNames } from '#foundation/server/http/field-names.ts'
import { isForHelpers } from '#foundation/server/http/possible-errors.ts'
import { answersOf } from './answers.ts'
import { exampleOf } from './example.ts'
import type { Json, SchemaPrinter } from './schemas.ts'

/** Returns the OpenAPI operation of one call. */
export function operationOf(contract: Route, printer: SchemaPrinter): Json {
  const { id, tag, summary, params, query, headers } = contract
  const parameters = [
    ...parametersIn('path', params, printer),
    ...parametersIn('query', query, printer),
    ...parametersIn('header', headers, printer),
    ...(isForHelpers(contract.access) && !fieldNames(query).includes('for') ? [forAccount] : []),
  ]
  const requestBody = bodyOf(contract, printer)
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: descriptionOf(contract),
    ...securityOf(contract),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: answersOf(contract, printer),
  }
}

const forAccount: Json = { $ref: '#/components/parameters/For' }

/** The query parameter `for` of the calls that helpers may make and whose contract does not declare it. */
export const sharedParameters: Json = {
  For: {
    name: 'for',
    in: 'query',
    required: false,
    description: 'The id of an account that lets you act for it. A server in the path says it, too.',
    schema: { type: 'string', format: 'uuid' },
  },
}

const callers: Readonly<Record<Exclude<Who, 'staff'>, string>> = {
  anyone: 'Anyone may call it.',
  pending: 'After the password, before the second step of signing in.',
  customer: 'For everyone who is signed in.',
  member: 'For staff, also without a second factor.',
  agent: 'For a program on a customer’s machine.',
  program: 'For a program with a token of an account.',
}

function descriptionOf({ access, summary, description, limits }: Route): string {
  const { proof } = access
  const text = description ?? summary
  return [
    /[.!?]$/.test(text) ? text : `${text}.`,
    access.who === 'staff' ? `For staff who may ${access.permission.name}.` : callers[access.who],
    ...Object.entries((access.who === 'staff' && access.kinds) || {}).map(
      ([kind, needed]) => `The kind \`${kind}\` is for those who may ${needed.name}, too.`,
    ),
    ...(access.who !== 'staff' && access.orStaff ? [`For staff who may ${access.orStaff.name}, too.`] : []),
    ...(proof === 'recent' ? ['It wants a proof of identity that is at most five minutes old.'] : []),
    ...(limits ? ['Requests are counted; above the limit it answers 429.'] : []),
  ].join(' ')
}

/** The body is required if the schema has a required field. */
function bodyOf({ id, body, requestType }: Route, printer: SchemaPrinter): Json | undefined {
  if (requestType === 'file') return oneFile
  if (!body) return undefined
  const schema = printer.input(body)
  const required = Array.isArray(schema['required']) && schema['required'].length > 0
  const example = exampleOf(schema, printer.components, id)
  return { required, content: { 'application/json': { schema, example } } }
}

const oneFile: Json = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file'],
        properties: { file: { type: 'string', format: 'binary' } },
      },
    },
  },
}

/** The security of calls that state none of their own: most are for people who are signed in. */
export const signedIn: Json[] = [{ accessToken: [] }, { session: [] }]

function securityOf({ access, style }: Route): Json {
  const { who } = access
  if (who === 'agent') return { security: [{ agent: [] }] }
  if (who === 'program') return { security: [{ token: [] }] }
  if (isForHelpers(access)) return { security: [...signedIn, { token: [] }] }
  if (who === 'pending') return { security: [{ session: [] }] }
  if (who === 'anyone') return { security: style === 'auth' ? [{}, ...signedIn] : [] }
  return {}
}

const printedObject = z.object({
  properties: z._default(z.record(z.string(), z.record(z.string(), z.unknown())), {}),
  required: z._default(z.array(z.string()), []),
})

function parametersIn(
  place: 'path' | 'query' | 'header',
  schema: z.ZodMiniType | undefined,
  printer: SchemaPrinter,
): Json[] {
  if (!schema) return []
  const { properties, required } = printedObject.parse(printer.input(schema))
  return Object.entries(properties).map(([name, inner]) => ({
    name: place === 'header' ? headerName(name) : name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: inner,
  }))
}

const headerName = (name: string) => name.replaceAll(/(?:^|-)\w/g, (start) => start.toUpperCase())
