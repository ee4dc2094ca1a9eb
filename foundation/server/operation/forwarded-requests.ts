import type { FastifyInstance } from 'fastify'
import type { App } from '#foundation/server/app.ts'
import { isForwarded } from '#foundation/server/http/client-address.ts'
import { keepObservation } from './queries.ts'

/**
 * Warns, once a process, where forwarded requests arrive although no proxy is trusted: attempts are then counted for the
 * proxy's address, and one guesser locks out everybody behind it. `hostdesk doctor` reports it afterwards.
 */
export function monitorForwardedRequests(server: FastifyInstance, app: App): void {
  if (app.config.trustedProxies > 0) return
  let isWarned = false
  server.addHook('onRequest', (request, _reply, done) => {
    if (!isWarned && isForwarded(request)) {
      isWarned = true
      app.log.warn(
        'requests arrive with X-Forwarded-For, and TRUSTED_PROXIES is 0: everybody counts as one address. Set TRUSTED_PROXIES to the number of proxies in front',
      )
      // The warning is in the log; doctor's line may wait for the next process.
      keepObservation(app, 'forwarded_without_trusted_proxies').catch(() => {})
    }
    done()
  })
}
