import { createHash } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'

/** Mollie's answer to a request that it did not do: `status` of HTTP, and its own words in the message. */
export class MollieRefusal extends Error {
  readonly status: number
  /** The field of the request that was wrong; empty where Mollie names none. */
  readonly field: string
  constructor(status: number, detail: string) {
    super(`Mollie answers ${status}: ${detail.slice(0, 500)}`)
    this.status = status
    this.field = fieldIn(detail)
  }
}

function fieldIn(detail: string): string {
  const [, field = ''] = /"field":\s*"(\w{1,60})"/.exec(detail) ?? []
  return field
}

type Asked = { method?: 'GET' | 'POST' | 'DELETE'; body?: object; once?: string; latest_ms?: number }

/**
 * Asks Mollie's API, version 2, and returns what it answers, unread. `once` names an act that must not happen twice: Mollie answers a second
 * request of that name as it answered the first, for an hour. Throws MollieRefusal for every answer but 2xx, and the network's own error.
 */
export async function askMollie(
  { mollie: { apiKey, apiOrigin } }: App['config'],
  path: string,
  { method = 'GET', body, once, latest_ms = 10_000 }: Asked = {},
): Promise<unknown> {
  // oxlint-disable-next-line hostdesk/server -- a constant; tests name a server of their own
  const response = await fetch(`${apiOrigin ?? 'https://api.mollie.com'}/v2/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey?.reveal() ?? ''}`,
      accept: 'application/hal+json',
      ...(body && { 'content-type': 'application/json' }),
      ...(once !== undefined && { 'idempotency-key': uuidOf(once) }),
    },
    ...(body && { body: JSON.stringify(body) }),
    redirect: 'error',
    // The limit is for the answer as a whole: the attack is a server that sends a byte now and then.
    signal: AbortSignal.timeout(latest_ms),
  })
  const text = await boundedText(response)
  if (!response.ok) throw new MollieRefusal(response.status, text)
  return text === '' ? null : (JSON.parse(text) as unknown)
}

async function boundedText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.byteLength
    if (size > MOST_BYTES) throw new Error('Mollie says too much')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

// 250 refunds of one payment are about 300 kB.
const MOST_BYTES = 2_000_000

/** Mollie wants the shape of a UUID of version 4. The same name gives the same one. */
function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
