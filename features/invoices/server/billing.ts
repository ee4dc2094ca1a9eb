import type { App } from '#foundation/server/app.ts'
import { lockByName, transaction } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { addressesOf } from '#features/profile/server/profile.ts'
import * as contract from '#features/invoices/contract.ts'
import { isLeitwegId, looksLikeLeitwegId } from '#features/invoices/leitweg-id.ts'
import * as queries from './billing-queries.ts'

export const getBilling = handler(contract.getBilling, async ({ app, actor }) => {
  return { status: 200, body: await billingReply(app.db, actor.user_id) }
})

/** Saves the billing details, which apply to invoices issued from now on. Throws 400 `invalid_leitweg_id`. */
export const saveBilling = handler(contract.saveBilling, async ({ app, actor, body }) => {
  const { buyer_reference = '' } = body
  if (looksLikeLeitwegId(buyer_reference) && !isLeitwegId(buyer_reference))
    throw badRequest('invalid_leitweg_id', 'buyer_reference')
  return transaction(app, { userId: actor.user_id }, async (tx) => {
    // Two tabs that change different fields at once must both take effect.
    await lockByName(tx, `billing:${actor.user_id}`)
    const before = await queries.billingOf(tx, actor.user_id)
    await queries.writeBilling(tx, actor.user_id, {
      email: body.email ?? before.email,
      buyer_reference: body.buyer_reference ?? before.buyer_reference,
      order_reference: body.order_reference ?? before.order_reference,
      send_pdf: body.send_pdf ?? before.send_pdf,
    })
    return { status: 200, body: await billingReply(tx, actor.user_id) } as const
  })
})

async function billingReply(db: App['db'], user_id: string): Promise<contract.Billing> {
  const row = await queries.billingOf(db, user_id)
  return { ...row, email_verified: row.email !== '' && (await isProven(db, user_id, row.email)) }
}

/** The address that invoices of this account are mailed to: the billing address once its owner has confirmed it, else the account's own. */
export async function billingAddress(
  db: App['db'],
  user: { id: string; email: string },
  billing: queries.BillingRow,
): Promise<string> {
  return billing.email !== '' && (await isProven(db, user.id, billing.email)) ? billing.email : user.email
}

/** The address that invoices of this account are mailed to today. */
export const invoicesGoTo = async (db: App['db'], user: { id: string; email: string }): Promise<string> =>
  billingAddress(db, user, await queries.billingOf(db, user.id))

/** True if the account has confirmed this address. The attack is a mail with a victim's details to a mailbox that never asked (rule 37). */
const isProven = async (db: App['db'], user_id: string, email: string): Promise<boolean> =>
  (await addressesOf(db, user_id)).some((address) => address.verified && address.email === email)
