import type { IncomingMessage } from 'node:http'

export const MOST_BYTES = 16_384

/** `body` is text, cut where more came than is read: 16 kB, unless a caller says more. */
export type Answer = { status: number; headers: readonly (readonly [string, string])[]; body: string }

/** Reads an answer up to `most_bytes`; what follows is not received. The attack is a body without an end. */
export async function readAnswer(
  response: IncomingMessage,
  deadline: AbortSignal,
  most_bytes: number,
): Promise<Answer> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part.subarray(0, most_bytes - size))
      size += part.length
      // Leaving the loop destroys the connection.
      if (size >= most_bytes) break
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
