import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import type { Route } from '#foundation/contract.ts'
import { commonErrors } from '#foundation/errors.ts'
import { apiPage } from './api-page.ts'
import { schemaOf } from './json-schema.ts'
import type { Served } from './serve.ts'

type Json = { [key: string]: unknown }

/** Serves the description of all calls at /api/openapi.json, and for people at /api/docs. Both come from the contracts. */
export function serveApiDocument(server: FastifyInstance, routes: readonly Served[]): void {
  const contracts = routes.map((served) => served.contract)
  // Printed when first asked for: at a start nobody waits for it.
  const document = once(() => JSON.stringify(describeApi(contracts), null, 2))
  const page = once(() => apiPage(contracts))
  server.get('/api/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(document()),
  )
  server.get('/api/docs', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'",
      )
      .send(page().html),
  )
  server.get('/api/docs.css', async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(page().css),
  )
}

function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined
  return () => (made ??= { value: make() }).value
}

/** The contracts as an OpenAPI 3.1 document. */
function describeApi(contracts: readonly Route[]): Json {
  const paths: Record<string, Json> = {}
  for (const contract of contracts) {
    paths[contract.path] = { ...paths[contract.path], [contract.method.toLowerCase()]: operationOf(contract) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hostdesk',
      version: '1',
      description: 'Customer account area: all calls, printed from their contracts.',
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        agent: { type: 'http', scheme: 'bearer', bearerFormat: 'hda_…' },
        session: { type: 'apiKey', in: 'header', name: 'X-Session-Token' },
      },
      schemas: { Errors: errorSchema },
    },
    paths,
  }
}

const errorSchema: Json = {
  type: 'object',
  required: ['status'],
  properties: {
    status: { type: 'integer' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'string' }, param: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
}

function operationOf(contract: Route): Json {
  const { summary, who, params, query, headers, body } = contract
  const parameters = [
    ...parametersIn('path', params),
    ...parametersIn('query', query),
    ...parametersIn('header', headers),
  ]
  return {
    summary,
    description: `Who may call it: ${who}.`,
    security: securityOf(contract),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? { requestBody: { content: { 'application/json': { schema: schemaOf(body, 'input') } } } }
      : {}),
    ...(contract.takes === 'file' ? { requestBody: oneFile } : {}),
    responses: responsesOf(contract),
  }
}

const bytes: Json = { type: 'string', format: 'binary' }

const oneFile: Json = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file'],
        properties: { file: bytes },
      },
    },
  },
}

function securityOf({ who, style }: Route): Json[] {
  if (who === 'anyone') return []
  if (who === 'agent') return [{ agent: [] }]
  return style === 'auth' ? [{ session: [] }, { bearer: [] }] : [{ bearer: [] }]
}

function responsesOf({ replies, gives, errors, who, limits }: Route): Json {
  const responses: Json = {}
  for (const [status, schema] of Object.entries(replies)) {
    responses[status] = {
      description: status,
      ...(schema ? { content: { 'application/json': { schema: schemaOf(schema, 'output') } } } : {}),
      ...(gives && status === '200'
        ? { content: { [gives === 'any' ? '*/*' : gives]: { schema: bytes } } }
        : {}),
    }
  }
  const refusals = [
    400,
    ...(who === 'anyone' ? [] : [401]),
    ...(who === 'staff' ? [403] : []),
    ...(limits ? [429] : []),
    503,
  ]
  for (const status of new Set([...refusals, ...Object.keys(errors ?? {}).map(Number)])) {
    const codes = [...(errors?.[status] ?? []), ...(commonErrors[status as 400] ?? [])]
    responses[status] ??= {
      description: codes.join(', '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Errors' } } },
    }
  }
  return responses
}

function parametersIn(place: 'path' | 'query' | 'header', schema: z.ZodMiniType | undefined): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, inner]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: inner,
  }))
}
