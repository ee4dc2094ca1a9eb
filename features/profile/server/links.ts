import type { LinkKind } from '#foundation/approvals.ts'
import type { App } from '#foundation/server/app.ts'
import { addressesOfOneBrowser } from '#foundation/server/audit/audit.ts'
import { isInStaffNetwork } from '#foundation/server/session/session.ts'
import { shareHome, shareIban } from './queries.ts'

/**
 * Returns the facts that suggest, but do not prove, that a member of staff and a customer are one person: the same home,
 * payments from or back to one bank account, or sign-ins by the same browser in the same network. The network of the staff is no such fact, as colleagues share it; without
 * STAFF_NETWORKS it is unknown, and networks are not compared.
 */
export async function softLinksBetween(
  app: App,
  db: App['db'],
  member: string,
  customer: string,
): Promise<LinkKind[]> {
  const links: LinkKind[] = []
  if (await shareHome(db, member, customer)) links.push('address')
  if (await shareIban(db, member, customer)) links.push('iban')
  const shared = app.config.staff.networks ? await addressesOfOneBrowser(db, member, customer) : []
  if (shared.some((ip) => !isInStaffNetwork(app, ip))) links.push('device')
  return links
}
