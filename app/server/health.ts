import { timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify, { LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { refusesWrites } from '#foundation/server/full-disk.ts'
import { missingMigrations } from '#foundation/server/database/migrate.ts'
import { isFromThisMachine } from '#foundation/server/http/client-address.ts'
import { measureRequests } from '#foundation/server/operation/measure-requests.ts'
import { printMetrics } from '#foundation/server/operation/metrics.ts'
import { measureInstallation } from './measure-installation.ts'

/**
 * Adds the paths for operators: `/healthz` (the process lives), `/readyz` (it may get requests: the database answers, no migration
 * is missing, the server is not draining; it also says if writes are refused) and `/metrics` (for Prometheus; from this machine, or with METRICS_TOKEN as bearer token).
 */
export function addHealth(server: FastifyInstance, app: App): void {
  measureRequests(server)
  measureInstallation(app)
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (draining.has(server)) reply.header('connection', 'close')
    done()
  })
  server.addHook('onRequest', (request, _reply, done) => {
    if (draining.has(server) && !probes.has(request.url)) draining.set(server, performance.now())
    done()
  })
  server.get('/healthz', async (_request, reply) => answer(reply, 200, 'ok'))
  server.get('/readyz', async (_request, reply) => {
    const reason = draining.has(server) ? 'draining' : await unreadiness(app)
    const full = refusesWrites(app) ? NO_ROOM : undefined
    if (reason)
      return answer(reply.header('retry-after', '2'), 503, [reason, full].filter(Boolean).join('; '))
    // A full disk takes no process out of the balancer: reads go on, and people read why nothing can be saved.
    return answer(reply, 200, full ?? 'ok')
  })
  server.get('/metrics', async (request, reply) => {
    if (!mayRead(request, app)) return answer(reply, 404, 'not found')
    return answer(reply, 200, await printMetrics())
  })
}

/** Builds the server of a process that only runs jobs (ROLE=worker). It serves health and figures, and nothing else. */
export function buildHealthServer(app: App): FastifyInstance {
  const logController = new LogController({ disableRequestLogging: true })
  const loggerInstance: FastifyBaseLogger = app.log
  const server = fastify({ loggerInstance, logController })
  addHealth(server, app)
  return server
}

const NO_ROOM = 'writes are refused: the disk is full'

/** The time at which each draining server last got a request that was no probe, by performance.now(). */
const draining = new WeakMap<FastifyInstance, number>()
const probes = new Set(['/healthz', '/readyz', '/metrics'])

// After `quiet_ms` without a request, the load balancer sends requests elsewhere. If requests go on, draining ends after `patience_ms`.
const quiet_ms = 300
const patience_ms = 5_000

/**
 * Asks the load balancer to send requests elsewhere, and every client to open a new connection for its next request; resolves
 * once no more requests come. Closing at once would break connections that the operating system has accepted and Node has not.
 */
export async function drain(server: FastifyInstance): Promise<void> {
  const started = performance.now()
  draining.set(server, started)
  for (;;) {
    const now = performance.now()
    if (now - must(draining.get(server)) >= quiet_ms || now - started >= patience_ms) return
    await sleep(50)
  }
}

function answer(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(text)
}

/** Returns the reason why this process should get no requests; undefined if it may. The reason names no address and no user. */
async function unreadiness(app: App): Promise<string | undefined> {
  try {
    const missing = await missingMigrations(app.pool)
    return missing.length ? 'migrations pending' : undefined
  } catch {
    return 'database unreachable'
  }
}

/**
 * True if the request may read the figures, which would show attackers the requests that hurt. Through a proxy on this machine that
 * is not declared, everybody seems to come from the loopback address, so each forwarded request needs the token.
 */
function mayRead(request: FastifyRequest, app: App): boolean {
  const token = app.config.metricsToken?.reveal()
  const given = request.headers.authorization
  if (token && given) return equal(given, `Bearer ${token}`)
  return isFromThisMachine(request)
}

function equal(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
