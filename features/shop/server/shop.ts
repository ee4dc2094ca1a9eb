import type { FastifyInstance, FastifyReply } from 'fastify'
import { paths } from '#features/paths.ts'
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
import {
  acceptForms,
  servePublicPages,
  type PublicRequest,
} from '#foundation/server/http/public-pages/serve.ts'
import { sendPage } from '#foundation/server/http/public-pages/send-page.ts'
import { siteMap } from './site-map.ts'
import { style } from './style.ts'
import { broughtBy, countryOf } from './visit.ts'

/** Answers `GET /api/staff/shop/`. */
export const getShop = handler(contract.getShop, async ({ app: { config } }) => ({
  status: 200,
  body: { url: config.shop ? `${config.publicOrigin}${indexAddress()}` : null },
}))

/**
 * Serves the public pages of the shop, without a script and without a cookie, each in the language of its address, or of the browser where the
 * address names none. With SHOP off there are none: 404.
 */
export function serveShop(server: FastifyInstance, app: App): void {
  if (!app.config.shop) return
  servePublicPages(server, app, {
    base: '/shop/',
    style,
    signIn: paths.signIn(),
    addresses: ['/shop/', '/shop/:one/', '/shop/:one/:two/'],
    answer: (request, reply) => answer(app, request, reply),
    siteMap: () => siteMap(app),
    more: (site) => {
      acceptForms(site, 16 * 1024)
      serveForm(site, app)
      servePayment(site, app)
      serveOpening(site, app)
    },
  })
}

async function answer(app: App, request: PublicRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { one = '', two = '' } = request.params
  const named = isLocale(one) ? one : undefined
  if (!named && two !== '') throw notFound()
  const slug = named ? two : one
  const locale = named ?? preferredLocale(request.headers['accept-language'])
  const { country, isChosen } = countryOf(app, request)
  const products = await productsFor(app, country)
  const visit = { locale, country, isChosen, isNamed: named !== undefined, brought: broughtBy(request) }
  const product = products.find((each) => each.slug === slug)
  if (slug !== '' && !product) throw notFound()
  const page = product ? productPage(app, visit, product) : indexPage(app, visit, products)
  const isForAll = isChosen && visit.isNamed && visit.brought.email === ''
  return sendPage(request, reply, { page, locale, isForAll })
}
