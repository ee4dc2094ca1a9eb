import { PAGES_BASE } from '#foundation/page-path.ts'
import { hasHelp } from '#features/help/server/help.ts'
import { paths } from '#features/paths.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { App } from '#foundation/server/app.ts'
import { notFound } from '#foundation/server/http/http-error.ts'

/** Serves the standard addresses that browsers, password managers, crawlers and security researchers look up. */
export function serveWellKnown(server: FastifyInstance, app: App): void {
  const { config } = app
  const { operator, publicOrigin } = config
  server.get('/.well-known/security.txt', async (_request, reply) => {
    const contact = config.securityContact ?? operator.supportEmail
    if (contact === undefined) throw notFound()
    return text(reply, securityText(contact, publicOrigin))
  })
  // Password managers lead people here (W3C, A Well-Known URL for Changing Passwords).
  server.get('/.well-known/change-password', async (_request, reply) =>
    reply.redirect(`${PAGES_BASE}${paths.security()}`, 302),
  )
  server.get('/robots.txt', async (_request, reply) => {
    const places = [...(config.shop ? ['/shop/'] : []), ...((await hasHelp(app)) ? ['/help/'] : [])]
    return text(reply, `User-agent: *\n${places.map(crawled(publicOrigin)).join('')}Disallow: /\n`)
  })
  server.get('/favicon.ico', async (_request, reply) =>
    reply.redirect(operator.logo ? `${PAGES_BASE}/operator-logo` : `${PAGES_BASE}/favicon.svg`, 302),
  )
}

/** Returns security.txt (RFC 9116). It never expires in practice, because each request gets a date in the future. */
function securityText(contact: string, origin: string): string {
  const expires = new Date(Date.now() + VALID_DAYS * 86_400_000)
  return [
    `Contact: ${contact.startsWith('https:') ? contact : `mailto:${encodeURI(addressOf(contact))}`}`,
    `Expires: ${expires.toISOString().slice(0, 10)}T00:00:00Z`,
    'Preferred-Languages: en, de, ru',
    `Canonical: ${origin}/.well-known/security.txt`,
    '',
  ].join('\n')
}

// `Support <support@example.com>` is an address too.
const addressOf = (mailbox: string) => /<([^>]+)>$/.exec(mailbox)?.[1] ?? mailbox

/** Crawlers may read the pages of the shop and of the help centre, and nothing else: the longest rule that fits wins (RFC 9309). */
const crawled = (origin: string) => (place: string) =>
  `Sitemap: ${origin}${place}sitemap.xml\nAllow: ${place}\n`

// The RFC advises less than a year.
const VALID_DAYS = 180

const text = (reply: FastifyReply, body: string) =>
  reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=3600').send(body)
