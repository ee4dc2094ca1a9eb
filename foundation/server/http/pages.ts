import { readFile } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#foundation/server/config.ts'
import { notFound } from './http-error.ts'
import { dressPage, serveWhiteLabel } from './white-label.ts'

/**
 * Serves the browser's part from the build folder under /account/: files with a hash in their name for a year, the page
 * itself, dressed as the operator's, never from a cache, and the page for every path below that is no file.
 */
export async function servePages(
  server: FastifyInstance,
  folder: string,
  operator: Config['operator'],
): Promise<void> {
  serveWhiteLabel(server, operator)
  await server.register(fastifyStatic, {
    root: folder,
    prefix: '/account/',
    index: false,
    preCompressed: true,
    decorateReply: false,
    cacheControl: false,
    setHeaders(reply, file) {
      const hashed = file.includes(`${path.sep}assets${path.sep}`)
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
    wildcard: false,
  })
  const page = dressPage(await readFile(path.join(folder, 'index.html'), 'utf8'), operator)
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    // A page of a former release asks for its files by names that are gone. As 404 it can say so and load anew.
    if (request.url.startsWith('/account/assets/')) throw notFound()
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page)
  }
  server.get('/account/', sendPage)
  server.get('/account/*', sendPage)
  server.get('/account', async (_request, reply) => reply.redirect('/account/', 308))
  server.get('/', async (_request, reply) => reply.redirect('/account/', 302))
}
