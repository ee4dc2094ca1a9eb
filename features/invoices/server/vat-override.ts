import type { App } from '#foundation/server/app.ts'
import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import { withApproval } from '#foundation/server/approvals/with-approval.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { badRequest, conflictWith, HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { lockUser, type Actor } from '#foundation/server/session/session.ts'
import { must } from '#foundation/must.ts'
import { assertOther } from '#features/finance/server/finance.ts'
import { billingDetails } from '#features/profile/server/profile.ts'
import { isVatId } from '#features/profile/rules.ts'
import * as contract from '#features/invoices/contract.ts'
import type { Treatment } from '#features/invoices/rules.ts'
import { askAboutVatId } from './check-vat-id.ts'
import { databaseTime } from './queries.ts'
import { insertOverride, latestOverride } from './override-queries.ts'
import { vatStatusOf } from './vat-status.ts'
import { closeQuestion } from './place-queries.ts'
import { placeNow } from './place-status.ts'
import { decidedPlace, inForce, isAskable } from './vat.ts'

/**
 * Answers `PUT …/vat-status/`. The attack is a member who spares a friend the VAT at the operator's cost: another member confirms each
 * decision, except a return to `automatic`.
 */
export const overrideVat = handler(contract.overrideVat, (call) => {
  const { app, actor, params, body } = call
  return withApproval(contract.overrideVat, call, overrideVatAct, async (tx) => {
    const customer_id = await lockCustomer(tx, actor, params.userId)
    const { treatment, from, reason, valid_until = null } = body
    if (from !== undefined) {
      const present = { treatment: await treatmentOf(app, tx, customer_id) }
      if (from !== present.treatment) throw conflictWith({ code: 'changed' }, { present })
    }
    const isOfPlace = treatment === 'resident' || treatment === 'elsewhere'
    const place = isOfPlace ? body.place || (await placeNow(app, tx, customer_id)) : ''
    const vat_id = treatment === 'business' ? await vatIdFor(tx, customer_id, body.vat_id) : ''
    if (valid_until !== null && new Date(valid_until) <= (await databaseTime(tx)))
      throw badRequest('invalid', 'valid_until')
    const input = { treatment, vat_id, place, valid_until }
    // The two that spare nobody any VAT need no second person.
    const always = treatment !== 'automatic' && treatment !== 'elsewhere'
    return { customer_id, amount: null, input, reason, links: [], always }
  })
})

/** Returns the treatment in force. */
async function treatmentOf(app: App, tx: Tx, user_id: string): Promise<Treatment> {
  const override = await latestOverride(tx, user_id)
  if (!override) return 'automatic'
  const { vat_id } = await vatStatusOf(app, tx, user_id)
  const at = await databaseTime(tx)
  const decision =
    inForce(override, vat_id, at) ?? decidedPlace(override, await placeNow(app, tx, user_id), at)
  return decision?.treatment ?? 'automatic'
}

async function vatIdFor(tx: Tx, user_id: string, given?: string): Promise<string> {
  const vat_id = given || ((await billingDetails(tx, user_id))?.vat_id ?? '')
  if (vat_id === '') throw badRequest('required', 'vat_id')
  if (!isVatId(vat_id)) throw badRequest('invalid_vat_id', 'vat_id')
  return vat_id
}

/** Locks the customer, so that decisions about one customer take turns; returns the customer's id. */
async function lockCustomer(tx: Tx, actor: Actor, user_id: string): Promise<string> {
  const customer = await lockUser(tx, user_id)
  if (!customer) throw notFound()
  if (!customer.is_active) throw new HttpError(409, [{ code: 'deactivated' }])
  await assertOther(tx, actor, user_id)
  return customer.id
}

type Override = { treatment: Treatment; vat_id: string; place: string; valid_until: string | null }

export const overrideVatAct: ApprovableAct<Override> = {
  permission: contract.overrideVatPermission,
  async run(_app, tx, { customer_id, input, reason }, { origin, ...people }) {
    const user_id = must(customer_id)
    const customer = await lockUser(tx, user_id)
    if (!customer?.is_active) throw new HttpError(409, [{ code: 'deactivated' }])
    const { treatment, vat_id, place } = input
    const valid_until = input.valid_until === null ? null : new Date(input.valid_until)
    await insertOverride(tx, {
      user_id,
      treatment,
      vat_id,
      place,
      valid_until,
      reason,
      by: people.by,
    })
    if (place !== '') await closeQuestion(tx, user_id)
    await recordAction(tx, {
      user_id,
      act: 'vat.overridden',
      ...origin,
      detail: { ...people, treatment, vat_id, ...(place && { place }), reason },
    })
    return { body: { treatment }, result: {} }
  },
  preview(_app: App, { input: { treatment, vat_id, place } }) {
    return Promise.resolve([{ code: `vat_${treatment}`, params: { vat_id, place } }])
  },
}

/** Answers `POST …/vat-check/`. */
export const checkCustomer = handler(contract.checkCustomerVatId, async ({ app, actor, params }) =>
  transaction(app, 'system', async (tx) => {
    const user_id = await lockCustomer(tx, actor, params.userId)
    const details = await billingDetails(tx, user_id)
    if (!details || !isAskable(app.config.company, details))
      throw new HttpError(409, [{ code: 'no_vat_id_to_check' }])
    askAboutVatId(tx, { user_id, by: actor.user_id })
    return { status: 202, body: { vat_id: details.vat_id } } as const
  }),
)
