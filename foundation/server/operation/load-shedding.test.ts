import fastify from 'fastify'
import { expect, it } from 'vitest'
import type { HttpError } from '#foundation/server/http/http-error.ts'
import { eventLoopDelay_ms } from './event-loop.ts'
import { shedLoad } from './load-shedding.ts'

it('rule 33: refuses new calls with 503 and Retry-After while behind, but no file of a page and no question after its health', async () => {
  const lag = { ms: 0 }
  const server = fastify()
  server.setErrorHandler((error, _request, reply) => {
    const problem = error as HttpError
    return reply.code(problem.status).header('retry-after', problem.retry_after_s).send()
  })
  shedLoad(server, { most_ms: 100, delay_ms: () => lag.ms })
  const others = ['/healthz', '/account/assets/part.js']
  for (const path of ['/api/plans/', ...others]) server.get(path, async () => 'served')
  expect((await server.inject('/api/plans/')).statusCode).toBe(200)
  lag.ms = 101
  const refused = await server.inject('/api/plans/')
  expect(refused.statusCode).toBe(503)
  expect(refused.headers['retry-after']).toBe('2')
  for (const path of others) expect((await server.inject(path)).statusCode).toBe(200)
  lag.ms = 0
  expect((await server.inject('/api/plans/')).statusCode).toBe(200)
})

it('sees a blocked event loop', async () => {
  eventLoopDelay_ms()
  await expect
    .poll(
      () => {
        const until = performance.now() + 150
        while (performance.now() < until);
        return eventLoopDelay_ms()
      },
      { timeout: 5000, interval: 1 },
    )
    .toBeGreaterThan(50)
})
