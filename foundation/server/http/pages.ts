import { readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { must } from '#foundation/must.ts'
import type { Config } from '#foundation/server/config.ts'
import { notFound } from './http-error.ts'
import { serveManifest } from './manifest.ts'
import { dressPage, serveWhiteLabel } from './white-label.ts'

/**
 * Serves the built pages under /account/. Browsers keep files with a hash in their name for a year. Every path that is no file gets the
 * page itself, with the name and colours of the operator; browsers ask for it anew each time.
 */
export async function servePages(
  server: FastifyInstance,
  folder: string,
  operator: Config['operator'],
): Promise<void> {
  serveWhiteLabel(server, operator)
  serveManifest(server, operator, path.join(folder, 'mark.png'))
  const files = filesIn(folder)
  const built = await readFile(path.join(folder, 'index.html'), 'utf8')
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const file = files.get(String(Reflect.get(Object(request.params), '*') ?? ''))
    if (file) return sendFile(request, reply, file)
    // A page of a former release asks for files that are gone. A 404 lets the page say so and reload.
    if (request.url.startsWith('/account/assets/')) throw notFound()
    return reply
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(dressPage(built, operator))
  }
  server.get('/account/', sendPage)
  server.get('/account/*', sendPage)
  server.get('/account', async (_request, reply) => reply.redirect('/account/', 308))
  server.get('/', async (_request, reply) => reply.redirect('/account/', 302))
}

export type Built = { at: string; type: string; cache: string; etag: string; encodings: string[] }

/**
 * The files to serve, by path in the folder. The list is made once: a request is looked up in it and never
 * becomes a path, so no request leaves the folder.
 */
export function filesIn(folder: string): Map<string, Built> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
  const all = new Set(names)
  const served = names.filter((name) => !/^\.|\.(?:br|gz)$|^index\.html$/.test(name))
  return new Map(
    served.map((name) => {
      const at = path.join(folder, name)
      const { mtimeMs, size } = statSync(at)
      return [
        name,
        {
          at,
          type: types[path.extname(name)] ?? 'application/octet-stream',
          cache: name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
          etag: `W/"${size.toString(16)}-${Math.floor(mtimeMs).toString(16)}"`,
          // The smaller encoding first.
          encodings: ['br', 'gz'].filter((ending) => all.has(`${name}.${ending}`)),
        },
      ]
    }),
  )
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Built,
): Promise<FastifyReply> {
  reply.header('cache-control', file.cache).header('etag', file.etag).type(file.type)
  if (file.encodings.length > 0) reply.header('vary', 'accept-encoding')
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  const accepted = request.headers['accept-encoding'] ?? ''
  const encoding = file.encodings.find((ending) => isAccepted(accepted, must(names[ending])))
  if (encoding) reply.header('content-encoding', names[encoding])
  return reply.send(await readFile(encoding ? `${file.at}.${encoding}` : file.at))
}

const names: Record<string, string> = { br: 'br', gz: 'gzip' }

/** True if Accept-Encoding accepts this encoding; `gzip;q=0` refuses it (RFC 9110, 12.5.3). */
const isAccepted = (header: string, encoding: string): boolean =>
  header.split(',').some((part) => {
    const [name, ...parameters] = part.trim().toLowerCase().split(';')
    return name === encoding && !parameters.some((parameter) => /^\s*q=0(?:\.0*)?$/.test(parameter))
  })
