// The load, in a process of its own so that it does not wait for what it measures. Its only argument is a file of JSON.
import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'
import { must } from '#foundation/must.ts'

export type Load = { requests_s: number; p99_ms: number; failed: number }

export type LoadOptions = {
  url: string
  method?: 'GET' | 'POST'
  /** One for all, or one for each caller. */
  body?: string | string[]
  /** One of each caller. They are dealt out to the connections, so that no two of these speak for the same one. */
  headers: Record<string, string>[]
  seconds: number
  connections: number
}

const options = JSON.parse(readFileSync(must(process.argv[2]), 'utf8')) as LoadOptions
const { url, method = 'GET', body, headers, seconds, connections } = options
const bodyOf = (caller: number) => (typeof body === 'string' ? body : body?.[caller])
const requests = headers.map((one, caller) => {
  const sent = bodyOf(caller)
  return { method, headers: one, ...(sent ? { body: sent } : {}) }
})
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
  requests: requests.slice(0, 1),
  setupClient(client) {
    const mine = place++
    client.setRequests(requests.filter((_, index) => index % connections === mine % requests.length))
  },
})
const result: Load = { requests_s: counted.average, p99_ms: latency.p99, failed: non2xx + errors }
process.stdout.write(JSON.stringify(result))
