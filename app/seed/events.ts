import { announceTopUp, credit, giveBack, redeemOnce, takeEventIn } from '#features/finance/server/finance.ts'
import type { ProviderName } from '#features/finance/rules.ts'
import { createHost, hostOf, setAutoRenew } from '#features/hosts/server/hosts.ts'
import { nextPeriod, type Period } from '#features/licences/rules.ts'
import { buyRuntime, planChange, showLicence } from '#features/licences/server/licences.ts'
import { fillProfile } from '#features/profile/server/profile.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import * as past from './history-queries.ts'
import type { Person } from './people.ts'
import { plans } from './plans.ts'

/** Somebody's year while it is told: what they own and have done so far, by the names that the story gives them. */
export type Life = {
  app: App
  tx: Tx
  user_id: string
  hosts: Map<string, { public_id: string; last?: Period }>
  /** The public ids of top-ups, and the transactions of orders. */
  deeds: Map<string, string>
}

/** One thing that somebody did, or that happened to them. */
export type Act = { at: Date; happen: (life: Life, at: Date) => Promise<void> }

type Doing<Given extends unknown[]> = (at: Date, ...given: Given) => Act

const act =
  <Given extends unknown[]>(happen: (life: Life, at: Date, ...given: Given) => Promise<void>): Doing<Given> =>
  (at, ...given) => ({ at, happen: (life, moment) => happen(life, moment, ...given) })

/** Announces a payment, to be named by `deed`; it is not here yet. */
export const announcesPayment = act<[ProviderName, bigint, string]>(
  async ({ app, tx, user_id, deeds }, _at, provider, amount, deed) => {
    const { public_id } = await announceTopUp(app, tx, { user_id, amount, provider })
    deeds.set(deed, public_id)
  },
)

export const pays = act<[ProviderName, bigint, string?]>(
  async (life, at, provider, amount, deed = 'paid') => {
    await announcesPayment(at, provider, amount, deed).happen(life, at)
    await hear(life, deed, { provider, kind: 'paid', reason: '' })
  },
)

/** The bank pulls a payment back. */
export const losesPayment = act<[ProviderName, string, string]>((life, _at, provider, deed, reason) =>
  hear(life, deed, { provider, kind: 'charged_back', reason }),
)

async function hear(
  { app, tx, deeds }: Life,
  deed: string,
  told: { provider: ProviderName; kind: 'paid' | 'charged_back'; reason: string },
): Promise<void> {
  const top_up = deeds.get(deed) ?? null
  const event_id = `story:${told.kind}:${top_up}`
  await takeEventIn(app, tx, {
    ...told,
    event_id,
    top_up,
    payment_reference: null,
    amount: null,
    currency: null,
  })
}

export const redeems = act<[string]>(async ({ app, tx, user_id }, _at, code) => {
  await redeemOnce(app, tx, user_id, code)
})

export const isGiven = act<[bigint, string]>(async ({ app, tx, user_id }, _at, amount, reason) => {
  await credit(app, tx, { user_id, amount, reason })
})

export const addsHost = act<[string, string | null]>(async ({ tx, user_id, hosts }, _at, name, ipv4) => {
  const { public_id } = await createHost(tx, { user_id, name, ipv4 })
  hosts.set(name, { public_id })
})

/** Orders or renews, by hand or (`automatic`) by the switch, which is on from then on. */
export const buys = act<[string, string, { automatic?: boolean; deed?: string }?]>(
  async ({ app, tx, user_id, hosts, deeds }, at, name, slug, { automatic = false, deed } = {}) => {
    const known = hosts.get(name)
    const plan = plans.find((one) => one.slug === slug)
    if (!known || !plan) throw new Error(`the story knows no ${name} or no ${slug}`)
    const host = await hostOf(tx, user_id, known.public_id)
    if (automatic && !host.auto_renew) await setAutoRenew(tx, host.id, true)
    const { transaction_id } = await buyRuntime(app, tx, host, { slug, automatic })
    const period = nextPeriod(plan.term, at, known.last)
    await past.moveOrder(tx, transaction_id, { ...period, at })
    const { periods, now } = await hostOf(tx, user_id, known.public_id)
    const plan_changes_at = planChange(periods, now)
    await showLicence(tx, host, { ends_at: period.ends_at, plan_changes_at, now: at })
    known.last = period
    if (deed) deeds.set(deed, transaction_id)
  },
)

/** Gets part of an order back. */
export const getsBack = act<[string, bigint, string]>(
  async ({ app, tx, user_id, deeds }, _at, deed, amount, reason) => {
    await giveBack(app, tx, { user_id, transaction_id: deeds.get(deed) ?? '', amount, reason })
  },
)

/** Gets all of an order back, which would run until today: its runtime ends, and the licence is free again. */
export const undoes = act<[string, string, string]>(
  async ({ app, tx, user_id, hosts, deeds }, at, name, deed, reason) => {
    const known = hosts.get(name)
    const transaction_id = deeds.get(deed) ?? ''
    if (!known) throw new Error(`the story knows no ${name}`)
    await giveBack(app, tx, { user_id, transaction_id, reason })
    await past.endOrder(tx, transaction_id, at)
    delete known.last
  },
)

export const becomes = act<[Partial<Person>]>(async ({ tx, user_id }, _at, change) => {
  const { email: _, password: __, is_staff: ___, locale: ____, ...fields } = change
  await fillProfile(tx, user_id, fields)
})
