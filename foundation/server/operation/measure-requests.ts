import type { FastifyInstance } from 'fastify'
import { counter, histogram } from './metrics.ts'

const requests = counter('http_requests_total', 'Requests answered, by route and status.', [
  'method',
  'route',
  'status',
])
const durations = histogram(
  'http_request_duration_seconds',
  'Time from the request to the end of the answer, by route.',
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  ['method', 'route'],
)

/** Counts and times all requests. The label is the route's pattern: paths with ids would be series without end. */
export function measureRequests(server: FastifyInstance): void {
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    requests.add({ method: request.method, route, status: String(reply.statusCode) })
    durations.observe({ method: request.method, route }, reply.elapsedTime / 1000)
    done()
  })
}
