import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ownerOfKey, setPasswordByKey } from '#features/auth/server/auth.ts'
import { guestWaits, lockGuest, settleGuest } from '#features/finance/server/finance.ts'
import { hostOf } from '#features/hosts/server/hosts.ts'
import { boughtCheckout } from '#features/sales/server/sales.ts'
import type { Locale } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { clientAddress } from '#foundation/server/http/client-address.ts'
import { html } from '#foundation/server/http/html.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { hashToken } from '#foundation/server/keys.ts'
import { count } from '#foundation/server/limits/limits.ts'
import { order } from './arrive.ts'
import { localeOf } from '#foundation/server/http/preferred-locale.ts'
import { layout } from './layout.ts'
import { asking, ended, gone, licence, notOrdered, passwordForm, type Part } from './open-parts.ts'
import {
  givePurchase,
  lockPurchase,
  purchaseByKey,
  purchasesOf,
  type PurchaseRow,
} from './purchase-queries.ts'
import { sendOwnPage } from '#foundation/server/http/public-pages/send-page.ts'

/** Serves the page of the link in a mail: it opens the account that a purchase made, or asks the owner of an account whose address it named. */
export function serveOpening(server: FastifyInstance, app: App): void {
  server.get('/buy/open/', async (request, reply) => answer(app, request, reply, keyIn(request.query)))
  server.post('/buy/open/', async (request, reply) => {
    const key = keyIn(request.body)
    const ip = clientAddress(request, app.config.trustedProxies)
    const { allowed } = await count(app, app.db, 'guest_form', ip)
    if (!allowed) return answer(app, request, reply, key, { fault: 'too_many_requests' })
    const waiting = key === '' ? undefined : await purchaseByKey(app.db, hashToken(key))
    if (waiting) {
      const owner = await take(app, waiting)
      if (owner === undefined) return send(app, reply, waiting.locale, ended(waiting))
      return sendDone(app, request, reply, owner)
    }
    try {
      const password: unknown = Reflect.get(Object(request.body), 'password')
      const user_agent = (request.headers['user-agent'] ?? '').slice(0, 200)
      const caller = { ip, user_agent, request_id: request.id }
      const user_id = await setPasswordByKey(app, {
        key,
        password: typeof password === 'string' ? password : '',
        caller,
      })
      return await sendDone(app, request, reply, user_id)
    } catch (error) {
      if (!(error instanceof HttpError) || error.status >= 500) throw error
      const fault = error.errors.find(({ param }) => param === 'password')?.code
      return answer(app, request, reply, fault === undefined ? '' : key, { fault })
    }
  })
}

const keyIn = (given: unknown): string => {
  const key: unknown = Reflect.get(Object(given), 'key')
  return typeof key === 'string' ? key.slice(0, 100) : ''
}

type Refused = { fault?: HttpError['errors'][number]['code'] | undefined }

async function answer(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  { fault }: Refused = {},
): Promise<FastifyReply> {
  const waiting = key === '' ? undefined : await purchaseByKey(app.db, hashToken(key))
  if (waiting) {
    const isThere = await guestWaits(app.db, waiting.public_id)
    return send(app, reply, waiting.locale, isThere ? asking(waiting, key) : ended(waiting))
  }
  const owner = key === '' ? undefined : await ownerOfKey(app, key).catch(() => undefined)
  if (!owner) return send(app, reply, localeOf(request), gone(localeOf(request)), 404)
  return send(app, reply, owner.locale, passwordForm(owner, key, fault), fault === undefined ? 200 : 400)
}

const send = (app: App, reply: FastifyReply, locale: Locale, { title, body }: Part, status = 200) =>
  sendOwnPage(reply, {
    page: layout(
      app.config,
      { locale, title, description: title },
      html`<div class="narrow">
        <h1>${title}</h1>
        ${body}
      </div>`,
    ),
    locale,
    status,
  })

/**
 * Gives a purchase that waits to the account whose owner has followed its key: its payment is booked, and its order done, as it comes. Returns
 * the account; undefined if the payment waits no more, because staff have settled it by hand.
 */
async function take(app: App, { public_id }: PurchaseRow): Promise<string | undefined> {
  return transaction(app, 'system', async (tx) => {
    const guest = await lockGuest(tx, public_id)
    const purchase = await lockPurchase(tx, public_id)
    if (!purchase || purchase.user_id === null) return undefined
    const { user_id } = purchase
    // The owner's second press comes here, too.
    if (purchase.state !== 'waits') return user_id
    if (!guest) return undefined
    await givePurchase(tx, public_id, { state: 'done', user_id, key_hash: null })
    await order(app, tx, purchase, user_id)
    await settleGuest(app, tx, public_id)
    return user_id
  })
}

/** Shows the licence of the newest purchase of an account, or that its money is on the balance. */
async function sendDone(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  user_id: string,
): Promise<FastifyReply> {
  const [purchase] = await purchasesOf(app.db, user_id)
  if (!purchase) return send(app, reply, localeOf(request), gone(localeOf(request)))
  const { locale } = purchase
  const checkout = await boughtCheckout(app.db, user_id, purchase.public_id)
  if (checkout?.state !== 'done' || checkout.host === null)
    return send(app, reply, locale, notOrdered(locale))
  return send(app, reply, locale, licence(app, purchase, await hostOf(app.db, user_id, checkout.host)))
}
