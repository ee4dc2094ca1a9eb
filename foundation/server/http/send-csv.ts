import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Answers a call with a CSV file in UTF-8 that is downloaded under this name. Returns what the handler of such a call returns. */
export function sendCsv(reply: FastifyReply, file: string, content: string | Readable): null {
  void reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${file}"`)
    .send(content)
  return null
}
