import type { FastifyInstance } from 'fastify'
import type { Handler } from '#foundation/server/http/handler.ts'
import type { AnyPublished } from '#foundation/published.ts'
import { serveReference } from '#app/server/guide/serve-reference.ts'
import { apiPage } from './api-page.ts'
import { describeApi, type Installation } from './document.ts'

/**
 * Serves the description of all calls, for programs at /api/openapi.json and for people at /api/docs/reference/. Both come from the
 * contracts. The guide (app/server/guide) leads to them.
 */
export function serveApiDocument(
  server: FastifyInstance,
  routes: readonly Handler[],
  installation: () => Installation,
  kinds: readonly AnyPublished[],
): void {
  const contracts = routes.map((served) => served.contract)
  // Document and page are printed at the first request, so that the start does not wait for them.
  const printed = (webhooks: readonly AnyPublished[]) =>
    once(() => JSON.stringify(describeApi(contracts, installation(), false, webhooks)))
  const [document, callsAlone] = [printed(kinds), printed([])]
  const page = once(() => apiPage(contracts))
  // Some generators take webhooks for calls, and openapi-generator makes Python of them that does not compile.
  server.get<{ Querystring: { webhooks?: string } }>('/api/openapi.json', async ({ query }, reply) =>
    reply.type('application/json; charset=utf-8').send(query.webhooks === 'no' ? callsAlone() : document()),
  )
  serveReference(server, { name: installation().name, plain: page })
}

function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined
  return () => (made ??= { value: make() }).value
}
