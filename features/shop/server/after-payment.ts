import type { FastifyInstance } from 'fastify'
import { moneyText, toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { html, type Html } from '#foundation/server/http/html.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import * as m from '#texts/messages.js'
import { againAddress, payAddress, thanksAddress } from './addresses.ts'
import { localeOf } from '#foundation/server/http/preferred-locale.ts'
import { layout } from './layout.ts'
import { purchaseOf, type PurchaseRow } from './purchase-queries.ts'
import { beginPurchase } from './purchases.ts'
import { sendOwnPage } from '#foundation/server/http/public-pages/send-page.ts'

// The page asks again by itself, but not for ever: an event may come hours later, and the mail with it.
const WAIT_s = 3
const MOST_WAITS = 40

/** The page after a payment that failed: nothing typed is lost, and the form may be paid in another way. */
function failedPage({ config }: App, { locale, public_id, wish: { plan } }: PurchaseRow): Html {
  const title = m.shop_failed({}, { locale })
  return layout(
    config,
    { locale, title, description: title },
    html`<div class="narrow">
      <h1>${title}</h1>
      <p class="lead" role="status">${m.shop_failed_text({}, { locale })}</p>
      <p class="acts">
        <a class="button main-button" href="${againAddress(plan, locale, public_id)}"
          >${m.shop_failed_again({}, { locale })}</a
        >
      </p>
    </div>`,
  )
}

/** Serves the page that leads on to the provider's, and the one that waits for its event. */
export function servePayment(server: FastifyInstance, app: App): void {
  server.get('/buy/pay/:id', async (request, reply) => {
    const id = String(Reflect.get(Object(request.params), 'id'))
    const locale = localeOf(request)
    const purchase = await purchaseOf(app.db, id)
    if (!purchase) throw notFound()
    if (purchase.state !== 'open' || purchase.is_over || purchase.failed_at !== null)
      return reply.redirect(thanksAddress(id), 303)
    const url = await beginPurchase(app, id).catch((error: unknown) => {
      if (error instanceof HttpError && error.status === 503) return null
      throw error
    })
    if (url !== null) reply.header('refresh', `0;url=${url}`)
    const title = m.shop_leading({}, { locale })
    const page = layout(
      app.config,
      { locale, title, description: title },
      html`<div class="narrow">
        <h1>${title}</h1>
        ${
          url === null
            ? html`<p class="fault-box">${m.error_payment_provider_unavailable({}, { locale })}</p>
                <p><a class="button" href="${payAddress(id)}">${m.shop_try_again({}, { locale })}</a></p>`
            : html`<p><a class="button main-button" href="${url}">${m.shop_lead_on({}, { locale })}</a></p>`
        }
      </div>`,
    )
    return sendOwnPage(reply, { page, locale })
  })
  server.get('/buy/thanks/:id', async (request, reply) => {
    const id = String(Reflect.get(Object(request.params), 'id'))
    const asked: unknown = Reflect.get(Object(request.query), 'n')
    const times = typeof asked === 'string' && /^\d{1,3}$/.test(asked) ? Number(asked) : 0
    const purchase = await purchaseOf(app.db, id)
    const locale = purchase?.locale ?? localeOf(request)
    // A form that a program has filled has no purchase, and gets the same page.
    const isPaid = purchase !== undefined && purchase.state !== 'open'
    if (purchase && !isPaid && purchase.failed_at !== null)
      return sendOwnPage(reply, { page: failedPage(app, purchase), locale })
    if (!isPaid && times < MOST_WAITS)
      reply.header('refresh', `${WAIT_s};url=${thanksAddress(id)}?n=${times + 1}`)
    const title = isPaid ? m.shop_thanks({}, { locale }) : m.shop_waiting({}, { locale })
    const paid = purchase && moneyText(toMoney(purchase.amount, purchase.currency), locale)
    const page = layout(
      app.config,
      { locale, title, description: title },
      html`<div class="narrow">
        <h1>${title}</h1>
        ${
          isPaid
            ? html`<p class="lead">
                ${m.shop_thanks_text({ paid: paid ?? '', email: purchase.email }, { locale })}
              </p>`
            : html`<p class="lead" role="status">${m.shop_waiting_text({}, { locale })}</p>
                <p class="acts">
                  <a class="button" href="${thanksAddress(id)}">${m.shop_check_again({}, { locale })}</a>
                  <a href="${payAddress(id)}">${m.shop_pay_again({}, { locale })}</a>
                </p>`
        }
      </div>`,
    )
    return sendOwnPage(reply, { page, locale })
  })
}
