import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import type { Claim } from './address-queries.ts'
import { insertTrialAddresses } from './trial-queries.ts'

/** Records for good that a host is tried at its addresses. Throws 409 `trial_used`@ipv4 or @ipv6 if another host was tried there. */
export async function claimTrialAddresses(
  tx: Tx,
  host: Pick<Claim, 'user_id' | 'host_id' | 'ipv4' | 'ipv6'>,
): Promise<void> {
  const taken = await insertTrialAddresses(tx, host)
  if (taken !== null) throw new HttpError(409, [{ code: 'trial_used', param: taken }])
}
