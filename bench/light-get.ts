import { Agent, get } from 'node:http'
import type { Client } from '#tests/harness/client.ts'

const agent = new Agent({ keepAlive: true })

/**
 * Returns the status of a GET once the whole answer has arrived. The clients share two processors with the product that they measure: this
 * function takes half of the processor time that `fetch` and reading its answer take.
 */
export function lightGet(
  { url, session_token }: Client,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<number> {
  const address = `${url}${path}?${new URLSearchParams(query).toString()}`
  const headers = { 'x-requested-with': 'XMLHttpRequest', 'x-session-token': session_token ?? '' }
  return new Promise((resolve, reject) => {
    get(address, { agent, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    }).on('error', reject)
  })
}
