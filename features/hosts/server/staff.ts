import * as contract from '#features/hosts/contract.ts'
import { assertOther } from '#features/finance/server/finance.ts'
import type { Host } from '#features/hosts/contract.ts'
import { ACTIVITY_ADDED } from '#features/security/contract.ts'
import type { App } from '#foundation/server/app.ts'
import type { OwnedThing } from '#foundation/server/acting.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import { changeAddresses, isMoved, type Addresses } from './addresses.ts'
import { hostOf, lockHost } from './own-host.ts'
import { publishHostChanged } from './publish.ts'
import { forgetAddressChanges } from './address-queries.ts'
import { ownerOfHost, type HostRow } from './queries.ts'
import { hostReply } from './reply.ts'

/** A member of staff, or the command line. Its user has access to the whole database anyway, and may help any customer. */
export type Helping =
  | { actor: Actor; origin: ReturnType<typeof originOf> }
  | { actor?: undefined; origin?: undefined }

export const nameOfHelping = ({ actor }: Helping): string => actor?.user_id ?? 'command line'

/** Answers `PUT /api/staff/hosts/{hostId}/addresses/`. */
export const changeHostAddresses = handler(
  contract.changeHostAddresses,
  async ({ app, actor, caller, params, body: { note, from, ...addresses } }) => {
    const who = { actor, origin: originOf(caller) }
    return { status: 200, body: await moveHost(app, who, params.hostId, { addresses, from, note }) }
  },
)

/** Answers `DELETE /api/staff/hosts/{hostId}/address-changes/`. */
export const resetAddressChanges = handler(
  contract.resetAddressChanges,
  async ({ app, actor, caller, params, query }) => {
    const who = { actor, origin: originOf(caller) }
    return { status: 200, body: await allowMoves(app, who, params.hostId, query.note) }
  },
)

/** No member of staff acts on a server of their own. */
export const ownedHost: OwnedThing = {
  parameter: 'hostId',
  ownerOf: async (db, id) => (await ownerOfHost(db, id))?.user_id,
}

/** Addresses; those that are undefined stay. */
type Wanted = { [Name in keyof Addresses]: string | null | undefined }

/** Changes the addresses of anybody's host but one's own, beyond the limit. Throws 404, 403 `own_account`, and as a customer's change does. */
export const moveHost = (
  app: App,
  who: Helping,
  host_id: string,
  { addresses: wanted, from, note }: { addresses: Wanted; from?: Addresses; note: string },
): Promise<Host> =>
  helpWithHost(app, who, host_id, async (tx, host) => {
    if (from && isMoved(host, from)) throw new HttpError(409, [{ code: 'changed' }])
    const { ipv4 = host.ipv4, ipv6 = host.ipv6 } = wanted
    const addresses = { ipv4, ipv6 }
    const by = { by: nameOfHelping(who), reason: note }
    if (isMoved(host, addresses))
      await changeAddresses(app, tx, host, { addresses, beyond: true, origin: who.origin, by })
  })

/** Gives the owner of a host all changes of its addresses again. */
export const allowMoves = (app: App, who: Helping, host_id: string, note: string): Promise<Host> =>
  helpWithHost(app, who, host_id, async (tx, { id, user_id, public_id, name }) => {
    await forgetAddressChanges(tx, id)
    const detail = { by: nameOfHelping(who), reason: note, host_id: public_id, host: name }
    await recordAction(tx, { user_id, act: 'host.address_limit_reset', ...who.origin, detail })
  })

/** Does something for the customer of a host, which is locked, and shows it to them. Throws 404, and 403 `own_account` for one's own host. */
export async function helpWithHost(
  app: App,
  { actor }: Helping,
  host_id: string,
  work: (tx: Tx, host: HostRow) => Promise<void>,
): Promise<Host> {
  return transaction(app, 'system', async (tx) => {
    const owner = await ownerOfHost(tx, host_id)
    if (!owner) throw notFound()
    if (actor) await assertOther(tx, actor, owner.user_id)
    const host = await lockHost(tx, owner.user_id, host_id)
    await work(tx, host)
    await publishHostChanged(tx, host.user_id, host_id)
    await publish(tx, host.user_id, { type: ACTIVITY_ADDED })
    return hostReply(await hostOf(tx, host.user_id, host_id))
  })
}
