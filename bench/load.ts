// Sends the load from a process of its own, which no work of the measuring process delays. Its only argument is a file with `LoadOptions`
// in JSON.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'
import { must } from '#foundation/must.ts'
import type { Load, LoadOptions } from './load-options.ts'
import { pacedLoad } from './paced-load.ts'

const options = JSON.parse(readFileSync(must(process.argv[2]), 'utf8')) as LoadOptions
const { url, method = 'GET', body, headers, seconds, connections, rate } = options
const bodyOf = (caller: number) => (typeof body === 'string' ? body : body?.[caller])
const requests = headers.map((one, caller) => {
  const sent = bodyOf(caller)
  return { method, headers: one, ...(sent ? { body: sent } : {}) }
})
const sequences = options.requests?.map((sequence) =>
  sequence.map((request) => ({
    ...request,
    setupRequest: <R extends { body?: string }>(sent: R): R =>
      sent.body ? { ...sent, body: sent.body.replaceAll('{uuid}', () => randomUUID()) } : sent,
  })),
)

/** Sends as many requests as the server answers. */
async function fullLoad(): Promise<Load> {
  let place = 0
  const {
    requests: counted,
    latency,
    non2xx,
    errors,
  } = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: sequences?.[0] ?? requests.slice(0, 1),
    setupClient(client) {
      const mine = place++
      if (sequences) client.setRequests(must(sequences[mine % sequences.length]))
      else client.setRequests(requests.filter((_, index) => index % connections === mine % requests.length))
    },
  })
  return { requests_s: counted.average, p99_ms: latency.p99, failed: non2xx + errors }
}

const result = rate === undefined ? await fullLoad() : await pacedLoad(options, rate)
process.stdout.write(JSON.stringify(result))
