import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#foundation/server/app.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { failWithPages } from './failed.ts'
import type { PublicStyle } from './style.ts'

/** A request for a public page; its parameters are the parts of the address that `addresses` name. */
export type PublicRequest = FastifyRequest<{
  Params: { one?: string; two?: string; three?: string }
  Querystring: { q?: unknown; country?: string }
}>

type Site = {
  /** The address of the first page. */
  base: `/${string}/`
  style: PublicStyle
  /** The address of the sign-in. */
  signIn: string
  /** The addresses of the pages, each with a slash at its end; without it a request is led on. */
  addresses: readonly `/${string}/`[]
  answer: (request: PublicRequest, reply: FastifyReply) => Promise<FastifyReply>
  siteMap: () => Promise<string>
  /** Serves more pages that are part of the site, such as those to which its forms are sent. */
  more: (site: FastifyInstance) => void
}

/** Serves public pages with their style and their list for search engines. */
export function servePublicPages(server: FastifyInstance, app: App, site: Site): void {
  void server.register(async (pages) => {
    const { base, style, signIn, more } = site
    failWithPages(pages, app, { style: style.address(app.config), home: base, signIn })
    serveSite(pages, app, site)
    more(pages)
  })
}

function serveSite(
  server: FastifyInstance,
  { config }: App,
  { base, style, addresses, answer, siteMap }: Site,
): void {
  server.get(style.address(config), (_request, reply) =>
    reply
      .type('text/css; charset=utf-8')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(style.sheet(config)),
  )
  server.get(`${base}sitemap.xml`, async (_request, reply) => {
    const printed = await siteMap()
    return reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(printed)
  })
  for (const address of addresses) {
    server.get(address, answer)
    server.get(address.slice(0, -1), async (request, reply) => reply.redirect(withSlash(request.url), 308))
  }
  server.get(`${base}*`, async () => {
    throw notFound()
  })
}

const withSlash = (url: string): string => {
  const [path = '', query] = url.split('?')
  return `${path}/${query === undefined ? '' : `?${query}`}`
}

/** Reads plain HTML forms on the routes of `server` alone: elsewhere a body must be JSON. `most` is in bytes. */
export function acceptForms(server: FastifyInstance, most: number): void {
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: most },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
  )
}
