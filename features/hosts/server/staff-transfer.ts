import { assertOther } from '#features/finance/server/finance.ts'
import * as contract from '#features/hosts/contract.ts'
import { assertForeign, findAccountByProvenEmail } from '#features/profile/server/profile.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { helpWithHost, nameOfHelping, type Helping } from './staff.ts'
import { mailOfferedByStaff } from './staff-transfer-mails.ts'
import { detailOf, offerHost } from './transfers.ts'
import type { TransferRow } from './transfer-queries.ts'

/** Answers `POST /api/staff/hosts/{hostId}/transfer/`. */
export const offerForOwner = handler(
  contract.offerForCustomer,
  async ({ app, actor, caller, params, body: { email, note } }) => {
    const row = await offerByStaff(app, { actor, origin: originOf(caller) }, params.hostId, { email, note })
    return { status: 201, body: { id: row.id, email, expires_at: row.expires_at.toISOString() } }
  },
)

/**
 * Offers a customer's host to an address for them. Nobody loses a host by it alone: the other account accepts, and the owner, who gets a
 * mail, may withdraw the offer. The attack is a member of staff who gives themselves a customer's host: neither side may be their own account.
 */
export async function offerByStaff(
  app: App,
  who: Helping,
  host_id: string,
  { email, note }: { email: string; note: string },
): Promise<TransferRow> {
  const offered: TransferRow[] = []
  await helpWithHost(app, who, host_id, async (tx, host) => {
    const { user_id } = host
    await assertForeign(tx, user_id, email)
    const receiver = await findAccountByProvenEmail(tx, email)
    if (who.actor && receiver) await assertOther(tx, who.actor, receiver.user_id)
    const locale = (await findUser(tx, user_id))?.locale ?? 'en'
    const row = await offerHost(app, tx, host, email, locale)
    const detail = { ...detailOf(row, host), by: nameOfHelping(who), reason: note }
    await recordAction(tx, { user_id, act: 'host.transfer_offered', ...who.origin, detail })
    await mailOfferedByStaff(app, tx, row, host)
    offered.push(row)
  })
  return must(offered[0])
}
