import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { serveTestPayments } from '#features/finance/server/test-payments.ts'
import { serveHelp } from '#features/help/server/help.ts'
import { serveShop } from '#features/shop/server/shop.ts'
import { serveReceiver } from '#features/webhooks/server/webhooks.ts'
import type { App } from '#foundation/server/app.ts'
import { parseBodies } from '#foundation/server/http/bodies.ts'
import {
  answerUnreadable,
  answerUnroutable,
  followAnswers,
} from '#foundation/server/http/client-error-handler.ts'
import { isFromThisMachine } from '#foundation/server/http/client-address.ts'
import { handleErrors } from '#foundation/server/http/error-handler.ts'
import { serveGuide } from '#app/server/guide/serve-guide.ts'
import { serveApiDocument } from '#app/server/openapi/serve-document.ts'
import { refuseOtherMethods } from '#foundation/server/http/other-methods.ts'
import { servePages } from '#foundation/server/http/pages.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { spareConnections } from '#foundation/server/http/spare-connections.ts'
import { addSecurityHeaders } from '#foundation/server/http/security-headers.ts'
import { limitBodyTime } from '#foundation/server/http/slow-bodies.ts'
import { mount } from '#foundation/server/http/serve.ts'
import { serveKeptMails } from '#foundation/server/mail/pages.ts'
import { monitorForwardedRequests } from '#foundation/server/operation/forwarded-requests.ts'
import { shedLoad } from '#foundation/server/operation/load-shedding.ts'
import { closeStreams } from '#foundation/server/realtime/hub.ts'
import { serveAgentFiles } from './agent-files.ts'
import { serveCustomersProgram } from './customers-program.ts'
import { routes } from './features.ts'
import { addHealth } from './health.ts'
import { installationOf } from './installation.ts'
import { serveWellKnown } from './well-known.ts'

const pages = fileURLToPath(new URL('../../dist/web/', import.meta.url))

/**
 * Builds the server: routes, headers, errors, pages. It does not listen, so that tests choose the port. A process whose event
 * loop lags more than `mostLag_ms` refuses requests.
 */
export async function buildServer(app: App, mostLag_ms?: number): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = app.log
  const server = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 64 * 1024,
    genReqId: () => randomUUID(),
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 300 },
    forceCloseConnections: 'idle',
    // While closing, requests on open connections are still answered: no deploy may fail one.
    return503OnClosing: false,
    // The time for a whole request, also for one with a file. The body of other requests has less time (limitBodyTime).
    requestTimeout: 900_000,
    http: { headersTimeout: 30_000 },
    schemaController: { compilersFactory: noSchemas },
    frameworkErrors: answerUnroutable(app),
    clientErrorHandler: answerUnreadable,
  })
  followAnswers(server.server)
  addSecurityHeaders(server, { https: app.config.publicOrigin.startsWith('https:') })
  logRequests(server, app)
  shedLoad(server, { most_ms: mostLag_ms })
  monitorForwardedRequests(server, app)
  limitBodyTime(server)
  parseBodies(server)
  handleErrors(server, app)
  refuseOtherMethods(server)
  addHealth(server, app)
  if (!app.config.isDemoPublic) keepDevelopmentHere(server)
  mount(server, app, routes)
  serveApiDocument(server, routes, () => installationOf(app), app.published)
  serveGuide(server, app)
  serveKeptMails(server, app)
  serveTestPayments(server, app)
  serveReceiver(server, app)
  serveShop(server, app)
  serveHelp(server, app)
  serveAgentFiles(server, app.config.publicOrigin)
  serveCustomersProgram(server)
  serveWellKnown(server, app)
  closeUnusedConnections(server)
  spareConnections(server)
  // Live streams never end by themselves, so the server would wait for them.
  server.addHook('preClose', () => closeStreams(app))
  if (existsSync(path.join(pages, 'index.html'))) await servePages(server, pages, app.config.operator)
  return server
}

/**
 * Answers 404 to requests for pages under /dev/ from other machines (rule 39): these pages show every mail and pay every bill. The
 * route that was found is judged, not the address, which can be written in many ways.
 */
function keepDevelopmentHere(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const isDevelopment = request.routeOptions.url?.startsWith('/dev/') || request.routeOptions.url === '/dev'
    done(isDevelopment && !isFromThisMachine(request) ? notFound() : undefined)
  })
}

/** Schema compilers that refuse to work. `serve` checks contracts with zod; Fastify's own compilers would cost 0.1 s at each start. */
const noSchemas = {
  buildValidator: refuseSchema,
  buildSerializer: refuseSchema,
}

function refuseSchema(): never {
  throw new Error('Write the schema into the contract: Fastify checks none here.')
}

/** Logs one line for each request. Headers and bodies are not logged, nor is the query of the address: queries hold keys. */
function logRequests(server: FastifyInstance, app: App): void {
  server.addHook('onResponse', (request, reply, done) => {
    const path = request.url.split('?')[0]
    const line = {
      request_id: request.id,
      method: request.method,
      path,
      status: reply.statusCode,
      took_ms: Math.round(reply.elapsedTime),
      person: request.person,
    }
    app.log.info(line, 'request')
    done()
  })
}

/**
 * Closes connections without a request when the server closes. Browsers open some in advance, and Node does not count them as idle,
 * so that the server would wait for them, up to a minute.
 */
function closeUnusedConnections(server: FastifyInstance): void {
  const open = new Set<Socket>()
  server.server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.addHook('preClose', async () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  })
}
