import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { filesIn, sendFile, type Built } from '#foundation/server/http/pages.ts'
import { escape } from './markdown.ts'
import { notFound } from '#foundation/server/http/http-error.ts'

const folder = path.join(import.meta.dirname, '../../../dist/reference')
const index = path.join(folder, 'index.html')

/**
 * The policy of the reference: that of all pages, but for the trusted types of Vue, in which the viewer is written. They take templates of
 * its own code, and descriptions of the document, which is ours.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types vue',
].join('; ')

/**
 * Serves the reference at /api/docs/reference/: the viewer that `npm run reference` builds, which a release brings along, or where it was
 * not built `plain`, a list of all calls that needs no script.
 */
export function serveReference(
  server: FastifyInstance,
  { name, plain }: { name: string; plain: () => { html: string; css: string } },
): void {
  let files: Map<string, Built> | undefined
  const built = () => (files ??= existsSync(index) ? filesIn(folder) : undefined)
  server.get('/api/docs/reference', async (_request, reply) => reply.redirect('/api/docs/reference/', 308))
  server.get('/api/docs/reference/page.css', async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(plain().css),
  )
  server.get('/api/docs/reference/', async (_request, reply) => {
    const text = built() ? named(await readFile(index, 'utf8'), name) : plain().html
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', policy)
      .send(text)
  })
  server.get<{ Params: { '*': string } }>('/api/docs/reference/*', async (request, reply) => {
    const file = built()?.get(request.params['*'])
    if (!file) throw notFound()
    return sendFile(request, reply, file)
  })
}

/** Gives the page the name of the operator. */
const named = (html: string, name: string): string =>
  html
    .replace('<title>', () => `<title>${escape(name)} API: `)
    .replace('>API<', () => `>${escape(name)} API<`)
