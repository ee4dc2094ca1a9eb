import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#features/shop/contract.ts'
import type { App } from '#foundation/server/app.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { isLocale, preferredLocale } from '#foundation/server/http/preferred-locale.ts'
import { indexAddress } from './addresses.ts'
import { servePayment } from './after-payment.ts'
import { serveForm } from './buy.ts'
import { serveOpening } from './open-page.ts'
import { indexPage, productPage } from './product-pages.ts'
import { productsFor } from './products.ts'
import { sendPage } from '#foundation/server/http/public-pages/send-page.ts'
import { siteMap } from './site-map.ts'
import { styleAddress, styleSheet } from './style.ts'
import { countryOf } from './visit.ts'

/** Answers `GET /api/staff/shop/`. */
export const getShop = handler(contract.getShop, async ({ app: { config } }) => ({
  status: 200,
  body: { url: config.shop ? `${config.publicOrigin}${indexAddress()}` : null },
}))

type Asked = FastifyRequest<{ Params: { one?: string; two?: string }; Querystring: { country?: string } }>

/**
 * Serves the public pages of the shop, without a script and without a cookie, each in the language of its address, or of the browser where the
 * address names none. With SHOP off there are none: 404.
 */
export function serveShop(server: FastifyInstance, app: App): void {
  if (!app.config.shop) return
  server.get(styleAddress(app.config), (_request, reply) =>
    reply
      .type('text/css; charset=utf-8')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(styleSheet(app.config)),
  )
  server.get('/shop/sitemap.xml', async (_request, reply) =>
    reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(await siteMap(app)),
  )
  for (const address of ['/shop/', '/shop/:one/', '/shop/:one/:two/'])
    server.get(address, (request: Asked, reply) => answer(app, request, reply))
  void server.register(async (forms) => {
    // A plain HTML form is posted with this media type. It is accepted here only: elsewhere a body must be JSON.
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16 * 1024 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
    )
    serveForm(forms, app)
    servePayment(forms, app)
    serveOpening(forms, app)
  })
  for (const address of ['/shop', '/shop/:one', '/shop/:one/:two'])
    server.get(address, async (request, reply) => reply.redirect(withSlash(request.url), 308))
}

const withSlash = (url: string): string => {
  const [path = '', query] = url.split('?')
  return `${path}/${query === undefined ? '' : `?${query}`}`
}

async function answer(app: App, request: Asked, reply: FastifyReply): Promise<FastifyReply> {
  const { one = '', two = '' } = request.params
  const named = isLocale(one) ? one : undefined
  if (!named && two !== '') throw notFound()
  const slug = named ? two : one
  const locale = named ?? preferredLocale(request.headers['accept-language'])
  const { country, isChosen } = countryOf(app, request)
  const products = await productsFor(app, country)
  const visit = { locale, country, isChosen, isNamed: named !== undefined }
  const product = products.find((each) => each.slug === slug)
  if (slug !== '' && !product) throw notFound()
  const page = product ? productPage(app, visit, product) : indexPage(app, visit, products)
  return sendPage(request, reply, { page, locale, isForAll: isChosen && named !== undefined })
}
