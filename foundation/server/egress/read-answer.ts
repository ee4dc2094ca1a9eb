import type { IncomingMessage } from 'node:http'

export const MOST_BYTES = 16_384

/** `body` is text of at most 16 kB, cut where more came. */
export type Answer = { status: number; headers: readonly (readonly [string, string])[]; body: string }

/** Reads an answer up to 16 kB; what follows is not received. The attack is a body without an end. */
export async function readAnswer(response: IncomingMessage, deadline: AbortSignal): Promise<Answer> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part.subarray(0, MOST_BYTES - size))
      size += part.length
      // Leaving the loop destroys the connection.
      if (size >= MOST_BYTES) break
    }
  } catch (error) {
    throw deadline.aborted ? deadline.reason : error
  }
  const { statusCode = 0, rawHeaders } = response
  const headers = rawHeaders.flatMap((name, place) =>
    place % 2 === 0 ? [[name.toLowerCase(), rawHeaders[place + 1] ?? ''] as const] : [],
  )
  return { status: statusCode, headers, body: Buffer.concat(parts).toString('utf8') }
}
