import { announceTopUp, credit, redeemOnce, ingestEventIn } from '#features/finance/server/finance.ts'
import { bookRefund } from '#features/sales/server/sales.ts'
import type { ProviderName } from '#features/finance/rules.ts'
import { createHost, hostOf, setAutoRenew } from '#features/hosts/server/hosts.ts'
import { invoicePaidBy, keepRecordedAnswer, reissueInvoice } from '#features/invoices/server/invoices.ts'
import type { ChosenExtras } from '#features/licences/contract.ts'
import { nextPeriod } from '#features/licences/rules.ts'
import { buyRuntime } from '#features/sales/server/sales.ts'
import { planChange, writeLicenceToHost } from '#features/licences/server/licences.ts'
import { updateProfileFields } from '#features/profile/server/profile.ts'
import { must } from '#foundation/must.ts'
import { runLastActs } from '#foundation/server/database/transaction.ts'
import * as past from './history-queries.ts'
import type { Person } from './people.ts'
import { plans } from './plans.ts'
import { seedEvent, type SeedState } from './seed-event.ts'

/** Announces a payment whose money has not arrived yet. Later events name the payment by `deed`. */
export const announcePayment = seedEvent<[ProviderName, bigint, string]>(
  async ({ app, tx, user_id, references }, _at, provider, amount, deed) => {
    const { public_id } = await announceTopUp(app, tx, { user_id, amount, provider })
    references.set(deed, public_id)
  },
)

export const pay = seedEvent<[ProviderName, bigint, string?]>(
  async (life, at, provider, amount, deed = 'paid') => {
    await announcePayment(at, provider, amount, deed).apply(life, at)
    await applyPaymentEvent(life, deed, { provider, kind: 'paid', reason: '' })
  },
)

/** The bank pulls a payment back. */
export const chargeBack = seedEvent<[ProviderName, string, string]>((life, _at, provider, deed, reason) =>
  applyPaymentEvent(life, deed, { provider, kind: 'charged_back', reason }),
)

async function applyPaymentEvent(
  { app, tx, country, references }: SeedState,
  deed: string,
  told: { provider: ProviderName; kind: 'paid' | 'charged_back'; reason: string },
): Promise<void> {
  const top_up = references.get(deed) ?? null
  const event_id = `story:${told.kind}:${top_up}`
  await ingestEventIn(app, tx, {
    ...told,
    event_id,
    top_up,
    payment_reference: null,
    paid_from: told.kind === 'paid' ? country : null,
    amount: null,
    currency: null,
  })
}

export const redeemVoucher = seedEvent<[string]>(async ({ app, tx, user_id }, _at, code) => {
  await redeemOnce(app, tx, user_id, code)
})

export const giveCredit = seedEvent<[bigint, string]>(async ({ app, tx, user_id }, _at, amount, reason) => {
  await credit(app, tx, { user_id, amount, reason })
})

export const addHost = seedEvent<[string, string | null]>(async ({ tx, user_id, hosts }, _at, name, ipv4) => {
  const { public_id } = await createHost(tx, { user_id, name, ipv4 })
  hosts.set(name, { public_id })
})

/** Makes the row of a program, by a plan of it. */
export const addProgram = seedEvent<[string, string]>(async ({ tx, user_id, hosts }, _at, name, plan) => {
  const { public_id } = await createHost(tx, { user_id, name, plan })
  hosts.set(name, { public_id })
})

type Bought = { automatic?: boolean; deed?: string; extras?: ChosenExtras }

/** Orders or renews a licence by hand, or (`automatic`) by automatic renewal, which is then switched on. */
export const buyLicence = seedEvent<[string, string, Bought?]>(
  async (
    { app, tx, user_id, hosts, references },
    at,
    name,
    slug,
    { automatic = false, deed, extras } = {},
  ) => {
    const known = hosts.get(name)
    const plan = plans.find((one) => one.slug === slug)
    if (!known || !plan) throw new Error(`the story knows no ${name} or no ${slug}`)
    const host = await hostOf(tx, user_id, known.public_id)
    if (automatic && !host.auto_renew) await setAutoRenew(tx, host, true)
    const { transaction_id } = must(await buyRuntime(app, tx, host, { slug, automatic, extras }))
    // The invoice of a sale is a last act of the transaction. It is written here, so that it is moved into the past, too.
    await runLastActs(tx)
    const period = nextPeriod(plan.term, at, known.last)
    await past.backdateOrder(tx, transaction_id, { ...period, at })
    const { periods, now } = await hostOf(tx, user_id, known.public_id)
    const plan_changes_at = planChange(periods, now)
    await writeLicenceToHost(tx, host, { ends_at: period.ends_at, plan_changes_at, is_trial: false, now: at })
    known.last = period
    if (deed) references.set(deed, transaction_id)
  },
)

/** Refunds a part of an order. */
export const refundPart = seedEvent<[string, bigint, string]>(
  async ({ app, tx, user_id, references }, _at, deed, amount, reason) => {
    await bookRefund(app, tx, { user_id, transaction_id: references.get(deed) ?? '', amount, reason })
  },
)

/** Refunds a whole order: its paid period ends at that time, so that the server is without a licence again. */
export const refundOrder = seedEvent<[string, string, string]>(
  async ({ app, tx, user_id, hosts, references }, at, name, deed, reason) => {
    const known = hosts.get(name)
    const transaction_id = references.get(deed) ?? ''
    if (!known) throw new Error(`the story knows no ${name}`)
    await bookRefund(app, tx, { user_id, transaction_id, reason })
    await past.endOrder(tx, transaction_id, at)
    delete known.last
  },
)

/** Staff issue the invoice of an order again, to the buyer whom the profile names at that time. */
export const reissue = seedEvent<[string, string]>(
  async ({ app, tx, user_id, staff_id: by, references }, _at, deed, reason) => {
    const transaction_id = references.get(deed) ?? ''
    const { public_id } = must(await invoicePaidBy(tx, user_id, transaction_id))
    const sale = { user_id, transaction_id, public_id }
    await reissueInvoice(app, tx, sale, { buyer: 'profile', vat: 'keep', reason }, { by })
  },
)

/** Accepts the operator's terms in a version. */
export const acceptTerms = seedEvent<[string]>(({ tx, user_id }, at, version) =>
  past.insertAcceptedTerms(tx, user_id, version, at),
)

/** Withdraws from an order. The refund is a separate event. */
export const withdraw = seedEvent<[string]>(({ tx, references }, at, deed) =>
  past.insertWithdrawal(tx, references.get(deed) ?? '', at, 'https://example.com/withdrawal'),
)

/** Staff suspend a server until its owner answers. */
export const suspendHost = seedEvent<[string, string, string]>(
  async ({ tx, hosts }, at, name, text, note) => {
    await past.insertSuspension(tx, hosts.get(name)?.public_id ?? '', { text, note, at })
  },
)

/** Makes another of the example people a helper for all servers. */
export const shareServers = seedEvent<[string]>(({ tx, user_id }, at, email) =>
  past.insertGrant(tx, user_id, email, at),
)

export const makeToken = seedEvent<[string]>(({ tx, user_id }, at, name) =>
  past.insertProgram(tx, user_id, name, at),
)

/** Makes another of the example people the payer for a server, up to a limit a month. */
export const letPay = seedEvent<[string, string, bigint]>(
  ({ tx, user_id, hosts }, at, name, email, limit) => {
    const public_id = hosts.get(name)?.public_id ?? ''
    return past.insertAgreement(tx, { owner_id: user_id, email, public_id }, limit, at)
  },
)

export const changeProfile = seedEvent<[Partial<Person>]>(async ({ tx, user_id }, _at, change) => {
  const { email: _, password: __, roles: ___, locale: ____, ...fields } = change
  await updateProfileFields(tx, user_id, fields)
})

/** Confirms a VAT id with a recorded answer of the tax authority. */
export const confirmVatId = seedEvent<[string]>(({ tx, user_id }, at, vat_id) =>
  keepRecordedAnswer(tx, { user_id, vat_id, asked_at: at }),
)
