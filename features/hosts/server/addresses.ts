import * as contract from '#features/hosts/contract.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { badRequest, HttpError } from '#foundation/server/http/http-error.ts'
import { recordAction, type originOf } from '#foundation/server/audit/audit.ts'
import { hostCan, isProgram } from '#features/hosts/rules.ts'
import { setAddresses } from './address-queries.ts'
import type { HostRow } from './queries.ts'
import { recordAddresses } from './record-events.ts'
import { hostReply } from './reply.ts'

export type Addresses = Pick<HostRow, 'ipv4' | 'ipv6'>

export const isMoved = (host: Addresses, { ipv4, ipv6 }: Addresses): boolean =>
  ipv4 !== host.ipv4 || ipv6 !== host.ipv6

/**
 * Changes the addresses of a locked host and records it. `beyond` is true for staff: their changes neither meet the limit nor count towards it.
 * The feature `licences`, which keeps the paid periods, listens and refuses an address that another paid licence has.
 */
export async function changeAddresses(
  app: App,
  tx: Tx,
  host: HostRow,
  { addresses, beyond, origin, by }: Change,
): Promise<void> {
  const { user_id, id, public_id: host_id, name } = host
  const shown = hostReply(host)
  const param = addresses.ipv4 === host.ipv4 ? 'ipv6' : 'ipv4'
  if (isProgram(host)) throw new HttpError(409, [{ code: 'not_for_programs', param }])
  const losesAll = addresses.ipv4 === null && addresses.ipv6 === null
  if (losesAll && !hostCan.loseAddresses(shown)) throw badRequest('address_required', param)
  if (!beyond && !hostCan.changeAddresses(shown))
    throw new HttpError(409, [{ code: 'ipv4_change_limit', param }])
  await setAddresses(tx, id, addresses, { counted: !beyond && shown.licence.status === 'active' })
  const detail = { ...by, host_id, host: name }
  await recordAction(tx, { user_id, act: 'host.address_changed', ...origin, detail })
  recordAddresses(tx, host)
  await emit(app, tx, contract.addressesChanged, { user_id, id, host_id, ...addresses })
}

type Change = {
  addresses: Addresses
  beyond: boolean
  origin: ReturnType<typeof originOf> | undefined
  /** The member of staff, and the reason. */
  by?: { by: string; reason: string }
}
