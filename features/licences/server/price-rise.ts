import { priceNote, vatFor, vatOver } from '#features/invoices/server/invoices.ts'
import type { Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { atOnce } from '#foundation/server/database/batched.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { findUser, staffMembers } from '#foundation/server/session/session.ts'
import { priceOf, type DatedPrice } from '#features/licences/rules.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { addonsOf, netOf, soldFor } from './extra-prices.ts'
import { planChanged, priceRises } from './price-mails.ts'
import * as queries from './price-rise-queries.ts'
import type { Rise } from './price-rise-queries.ts'

export type SetPrice = DatedPrice & { id: bigint; isRise: boolean; atOnce: boolean }

type Told = { slug: string; name: Translated; price_net: bigint }

/** Queues a mail to the owners among the staff about a new price of a plan, with which `hosts` servers renew. `by` is the id of the member who set it, or 'command line'. */
export async function mailOwners(
  app: App,
  tx: Tx,
  { before, after, price, hosts }: { before: Told; after: Told; price: SetPrice; hosts: number },
  by: string,
): Promise<void> {
  const isMember = by !== 'command line'
  const names = await displayNames(app, tx, isMember ? [by] : [])
  const { net, from_at, renewals_from_at, atOnce } = price
  const values = {
    name: after.name,
    slug: after.slug,
    before: before.price_net,
    after: net,
    from: atOnce ? null : from_at,
    renewals_from: renewals_from_at > from_at ? renewals_from_at : null,
    hosts,
    by: isMember ? names.of(by).name : null,
    currency: app.config.currency,
  }
  for (const { id, staff_roles } of await staffMembers(tx))
    if (staff_roles.includes('owner')) await mailTo(app, tx, id, planChanged, values)
}

/** Mails the owners of servers with auto-renewal about a price that rises for them. */
export const PRICE_RISE = jobKind('mail_price_rise', 'rest')

/** `price` is the id of the row with the risen price. */
export const announceRise = (tx: Tx, { plan, price }: { plan: string; price: bigint }): void =>
  enqueue(tx, PRICE_RISE, { plan, price: String(price) }, { key: `price-rise:${price}` })

const AT_ONCE = 100

/** Queues a mail for each server, in the transaction that marks the server as mailed, so a job that runs twice mails nobody twice. */
export async function mailPriceRise(
  app: App,
  { plan, price }: { plan: string; price: string },
): Promise<void> {
  const rise = await queries.findRise(app.db, plan, BigInt(price))
  // A newer price replaced this one before renewals paid it.
  if (!rise) return
  for (let isMore = true; isMore;)
    isMore = await transaction(app, 'system', async (tx) => {
      const hosts = await queries.claimUnnoticed(tx, rise, AT_ONCE)
      await atOnce(hosts.map((host) => mailOwner(app, tx, rise, host)))
      return hosts.length === AT_ONCE
    })
}

async function mailOwner(app: App, tx: Tx, rise: Rise, host: queries.Unnoticed): Promise<void> {
  const user = await findUser(tx, host.user_id)
  if (!user?.is_active) return
  const addons = netOf(addonsOf(host.extras).map((kept) => soldFor(kept, rise)))
  const vat = vatOver(await vatFor(app, tx, host.user_id), rise.net + addons)
  const { rate_bp } = vat
  const values = {
    host: host.name,
    host_id: host.public_id,
    plan: rise.name[user.locale],
    before: priceOf(rise.before, rate_bp).total,
    after: priceOf(rise.net, rate_bp).total,
    addons: priceOf(addons, rate_bp).total,
    from: rise.renewals_from_at,
    currency: app.config.currency,
    hasVat: rate_bp > 0n,
    vat_note: priceNote(vat, app.config.company),
  }
  await mailTo(app, tx, user.id, priceRises, values)
}
