// The load, in a process of its own so that it does not wait for what it measures. Its only argument is JSON.
import autocannon from 'autocannon'

export type Load = { requests_s: number; p99_ms: number; failed: number }

type Options = { url: string; headers: Record<string, string>[]; seconds: number; connections: number }

const { url, headers, seconds, connections } = JSON.parse(process.argv[2]!) as Options
const { requests, latency, non2xx, errors } = await autocannon({
  url,
  connections,
  duration: seconds,
  requests: headers.map((one) => ({ method: 'GET', headers: one })),
})
const result: Load = { requests_s: requests.average, p99_ms: latency.p99, failed: non2xx + errors }
process.stdout.write(JSON.stringify(result))
