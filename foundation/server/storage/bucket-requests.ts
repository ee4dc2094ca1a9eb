import { errorCode, messageOf } from '#foundation/server/error-code.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import type { Bucket } from './bucket-setting.ts'
import { firstText } from './xml-elements.ts'

type Sent = {
  method: 'GET' | 'PUT' | 'DELETE'
  /** The object's key; empty for the bucket itself. */
  path: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Blob
  /** The error code of S3 that is an answer and not a failure. */
  mayLack?: string
}

/**
 * Returns a function that sends signed requests to a bucket. A request that fails on the network, or that an overloaded server refuses, is
 * tried a second time. Throws Error with S3's own code and message, or with the code of the network's failure.
 */
export function connect(bucket: Bucket): (sent: Sent) => Promise<Response> {
  const { endpoint, name, region, key_id, secret } = bucket
  // The retries are ours: the client's own know nothing of a broken connection.
  const signer = new AwsClient({
    accessKeyId: key_id,
    secretAccessKey: secret.reveal(),
    region,
    service: 's3',
    retries: 0,
  })

  async function attempt({ method, path, query = {}, headers = {}, body }: Sent): Promise<Response> {
    const url = new URL(`${endpoint}/${name}/${path}`)
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
    const signed = await signer.sign(url.href, { method, headers })
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(new Error('the bucket does not answer')), patience_ms(body))
    try {
      // A Blob has a size, and S3 takes no body without one. A redirect would need another signature.
      // oxlint-disable-next-line hostdesk/server -- the address is the operator's setting, and the path a key that was checked
      return await fetch(url, {
        method,
        headers: { ...Object.fromEntries(signed.headers), 'accept-encoding': 'identity' },
        ...(body ? { body } : {}),
        signal: patience.signal,
        redirect: 'manual',
      })
    } finally {
      // The timeout ends when the answer begins: its body may take as long as its reader does.
      clearTimeout(timer)
    }
  }

  return async (sent) => {
    const first = await attempt(sent).catch((error: unknown) => error)
    const isFinal = first instanceof Response && first.status < 500 && first.status !== 429
    if (!isFinal) {
      if (first instanceof Response) await first.body?.cancel()
      await sleep(RETRY_MS)
    }
    const reply = isFinal ? first : await attempt(sent).catch(failed)
    if (reply.ok) return reply
    const text = await reply.text()
    const code = firstText(text, 'Code') ?? `status ${reply.status}`
    if (reply.status === 404 && code === sent.mayLack) return reply
    throw new Error(`The bucket answered ${code}: ${firstText(text, 'Message') ?? ''}`)
  }
}

const RETRY_MS = 200

/** The time until the answer begins: half a minute, and the time that a slow line (1 MB/s) needs for the body. */
const patience_ms = (body: Blob | undefined) => 30_000 + (body?.size ?? 0) / 1000

function failed(error: unknown): never {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const why = errorCode(cause) ?? messageOf(cause)
  throw new Error(`The bucket could not be reached: ${why}`, { cause: error })
}
