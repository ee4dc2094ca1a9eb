import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countryOfNetwork } from '#features/invoices/server/invoices.ts'
import { guestProviders } from '#features/finance/server/finance.ts'
import { countryCodes, plainCountry } from '#features/profile/rules.ts'
import { canonicalEmail } from '#foundation/email-address.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { clientAddress } from '#foundation/server/http/client-address.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { localeOf } from '#foundation/server/http/preferred-locale.ts'
import { count, type LimitName } from '#foundation/server/limits/limits.ts'
import { randomId } from '#foundation/server/random-id.ts'
import { payAddress, thanksAddress } from './addresses.ts'
import { faultsIn, typedIn, type Faults, type Typed } from './buy-form.ts'
import { buyPage } from './buy-page.ts'
import { nameOfSum, offerFor, type Offer } from './offer.ts'
import { amountFor, faultsOf, makePurchase, typedBefore } from './purchases.ts'
import { sendOwnPage } from '#foundation/server/http/public-pages/send-page.ts'
import { countryOf } from './visit.ts'
import { withAccount } from './with-account.ts'

type Visited = FastifyRequest<{ Params: { plan: string }; Querystring: Record<string, unknown> }>

/** Serves the form that buys a plan before there is an account. It needs no script, and no cookie: nothing of it is anybody's session. */
export function serveForm(server: FastifyInstance, app: App): void {
  server.get('/buy/:plan', async (request: Visited, reply) => {
    const { email, country, code, again } = request.query
    const near = countryOf(app, request).country
    const before = typeof again === 'string' ? await typedBefore(app, request.params.plan, again) : undefined
    const typed = {
      ...typedIn(before ?? { email, code, country: typeof country === 'string' ? country : near }),
      form: randomId(),
    }
    return show(app, request, reply, {
      typed: countryCodes.includes(typed.country) ? typed : { ...typed, country: near },
    })
  })
  server.post('/buy/:plan', (request: Visited, reply) => receive(app, request, reply))
}

type Shown = {
  typed: Typed
  faults?: Faults
  offer?: Offer | undefined
  isNew?: boolean
  wait_s?: number
  status?: number
}

async function show(app: App, request: Visited, reply: FastifyReply, shown: Shown): Promise<FastifyReply> {
  const { typed, isNew = false, wait_s, status = 200 } = shown
  const offer = shown.offer ?? (await offered(app, request, typed))
  const providers = guestProviders(app)
  if (!offer) throw notFound()
  if (providers.length === 0) {
    const page = withAccount(app.config, localeOf(request))
    return sendOwnPage(reply, { page, locale: localeOf(request) })
  }
  const { plan, before, fault, isFree = false } = offer
  const faults = { ...(fault && { code: fault }), ...shown.faults }
  const page = buyPage(app.config, {
    locale: localeOf(request),
    typed: typed.form === '' ? { ...typed, form: randomId() } : typed,
    faults,
    plan,
    before,
    isNew,
    isFree,
    amount: toMoney(amountFor(app, plan), app.config.currency),
    providers,
    network: networkOf(app, request),
    ...(wait_s === undefined ? {} : { wait_s }),
  })
  return sendOwnPage(reply, { page, locale: localeOf(request), status })
}

const offered = (app: App, request: Visited, typed: Typed): Promise<Offer | undefined> =>
  offerFor(app, request.params.plan, typed, clientAddress(request, app.config.trustedProxies))

const networkOf = (app: App, request: FastifyRequest): string | null => {
  const near = countryOfNetwork(clientAddress(request, app.config.trustedProxies))
  return near === null ? null : plainCountry(near)
}

/**
 * Takes the form. Another site that posts it for its visitor gets the form with what it sent: only a person orders. A form that a program has
 * filled is answered as if it counted.
 */
async function receive(app: App, request: Visited, reply: FastifyReply): Promise<FastifyReply> {
  const typed = typedIn(request.body)
  if (request.headers['sec-fetch-site'] === 'cross-site') return show(app, request, reply, { typed })
  if (typed.website !== '') return reply.redirect(thanksAddress(randomId()), 303)
  const offer = await offered(app, request, typed)
  if (!offer) throw notFound()
  if (typed.act === 'price') return show(app, request, reply, { typed, offer })
  const { plan } = offer
  const network = networkOf(app, request)
  const faults = { ...faultsIn(app, typed, { plan, network }), ...(offer.fault && { code: offer.fault }) }
  const isNew = faults[''] === 'price_changed' && typed.sum_of !== nameOfSum(typed)
  if (isNew) delete faults['']
  if (isNew || offer.isFree || Object.keys(faults).length > 0)
    return show(app, request, reply, { typed, faults, offer, isNew, status: 400 })
  const wait_s = await waitFor(app, request, typed)
  if (wait_s !== undefined)
    return show(app, request, reply, {
      typed,
      faults: { '': 'too_many_requests' },
      offer,
      wait_s,
      status: 429,
    })
  try {
    const { headers, id: request_id } = request
    const ip = clientAddress(request, app.config.trustedProxies)
    const origin = { ip, user_agent: (headers['user-agent'] ?? '').slice(0, 200), request_id }
    const id = await makePurchase(app, { plan, typed, locale: localeOf(request), network, origin })
    return await reply.redirect(`${payAddress(id)}?lang=${localeOf(request)}`, 303)
  } catch (error) {
    return show(app, request, reply, { typed, faults: faultsOf(error), offer, status: 409 })
  }
}

/** Counts a form by its network and its mailbox. Returns the seconds to wait if there were too many; undefined otherwise. */
async function waitFor(app: App, request: FastifyRequest, { email }: Typed): Promise<number | undefined> {
  const counted: [LimitName, string][] = [
    ['guest_form', clientAddress(request, app.config.trustedProxies)],
    ['guest_form_mailbox', canonicalEmail(email) ?? ''],
  ]
  for (const [limit, key] of counted) {
    const { allowed, retry_after_s } = await count(app, app.db, limit, key)
    if (!allowed) return retry_after_s
  }
  return undefined
}
