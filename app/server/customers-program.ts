import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'

const built = fileURLToPath(new URL('../../dist/hostdeskctl.mjs', import.meta.url))

/** Serves the command line of customers as one file, for `curl -fO …/hostdeskctl.mjs`: they have no archive of a release. */
export function serveCustomersProgram(server: FastifyInstance): void {
  // The file is read at the first request, so that the start does not wait for it. A product without built pages has none.
  let text: Promise<string | undefined> | undefined
  server.get('/hostdeskctl.mjs', async (_request, reply) => {
    const program = await (text ??= readFile(built, 'utf8').catch(() => undefined))
    if (program === undefined) return reply.callNotFound()
    return reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(program)
  })
}
