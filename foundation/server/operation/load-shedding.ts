import type { FastifyInstance } from 'fastify'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { eventLoopDelay_ms } from './event-loop.ts'
import { counter } from './metrics.ts'

const shed = counter(
  'hostdesk_requests_shed_total',
  'Requests refused with 503 because the process was behind.',
)

/**
 * Refuses new calls with 503 and Retry-After while the event loop lags more than `most_ms`, so that the calls already taken end, and a
 * flood cannot make the process answer nobody. Only paths under /api/ are refused: health and figures must be readable then above all, and
 * the files of the pages cost next to nothing, while an open page cannot go on without its parts. `delay_ms` returns the lag, in ms.
 */
export function shedLoad(
  server: FastifyInstance,
  {
    most_ms = 1_000,
    delay_ms = eventLoopDelay_ms,
  }: { most_ms?: number | undefined; delay_ms?: () => number } = {},
): void {
  delay_ms()
  server.addHook('onRequest', (request, _reply, done) => {
    if (delay_ms() <= most_ms || !request.url.startsWith('/api/')) {
      done()
      return
    }
    shed.add()
    done(new HttpError(503, [{ code: 'unavailable' }], 2))
  })
}
