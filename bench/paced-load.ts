import { Agent, request } from 'node:http'
import type { Load, LoadOptions } from './load-options.ts'

// The most answers that may be awaited at once; what is due beyond waits, and its time counts.
const MOST_OPEN = 256

/**
 * A load of so many requests a second as are asked for, evenly, whether the ones before were answered or not. The time of each
 * counts from when it was due: a server that stands still for a moment delays all that came meanwhile. (autocannon sends the
 * requests of a second all at its beginning.)
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

/** The status of the answer, once all of it is there; 0 without one. */
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
