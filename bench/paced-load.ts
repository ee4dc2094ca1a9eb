import { Agent, request } from 'node:http'
import type { Load, LoadOptions } from './load-options.ts'

// The most requests that may be open at once. A further request waits, and the time that it waits counts as its own.
const MOST_OPEN = 256

/**
 * Sends `rate` requests a second, evenly, even if earlier requests are not answered yet. The time of a request counts from the moment
 * at which it was due: a server that stands still for a moment delays all requests of that moment. (autocannon sends the requests of
 * a second all at its beginning.)
 */
export async function pacedLoad(
  { url, method = 'GET', body, headers, seconds }: LoadOptions,
  rate: number,
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: MOST_OPEN })
  const all = Math.round(rate * seconds)
  const times_ms: number[] = []
  let failed = 0
  const begun = performance.now()
  const send = async (place: number) => {
    const due_ms = begun + (place * 1000) / rate
    const caller = place % headers.length
    const sent = typeof body === 'string' ? body : body?.[caller]
    const status = await answered(url, { agent, method, headers: headers[caller] ?? {} }, sent)
    times_ms.push(performance.now() - due_ms)
    if (status < 200 || status > 299) failed += 1
  }
  const open: Promise<void>[] = []
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(all, Math.floor(((performance.now() - begun) * rate) / 1000))
      while (open.length < due) open.push(send(open.length))
      if (open.length < all) return
      clearInterval(timer)
      resolve()
    }, 1)
  })
  await Promise.all(open)
  const took_s = (performance.now() - begun) / 1000
  agent.destroy()
  const p99_ms = times_ms.toSorted((one, other) => one - other)[Math.ceil(all * 0.99) - 1] ?? Infinity
  return { requests_s: all / took_s, p99_ms, failed }
}

/** Returns the status once the whole answer has arrived; 0 if the request failed. */
function answered(
  url: string,
  options: { agent: Agent; method: string; headers: Record<string, string> },
  body: string | undefined,
): Promise<number> {
  return new Promise((resolve) => {
    const asked = request(url, options, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
    })
    asked.on('error', () => resolve(0))
    asked.end(body)
  })
}
