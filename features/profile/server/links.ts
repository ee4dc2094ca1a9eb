import type { LinkKind } from '#foundation/approvals.ts'
import type { App } from '#foundation/server/app.ts'
import { addressesOfOneBrowser } from '#foundation/server/audit/audit.ts'
import { isInStaffNetwork } from '#foundation/server/session/session.ts'
import { shareHome } from './link-queries.ts'

/**
 * Facts that a member of staff and a customer have in common and that only suggest one person: the same home, or sign-ins by the same
 * browser in the same network. A network of the staff's says nothing, as colleagues share it: without STAFF_NETWORKS nobody
 * knows which one that is, and networks are not compared.
 */
export async function softLinksBetween(
  app: App,
  db: App['db'],
  member: string,
  customer: string,
): Promise<LinkKind[]> {
  const links: LinkKind[] = []
  if (await shareHome(db, member, customer)) links.push('address')
  const shared = app.config.staff.networks ? await addressesOfOneBrowser(db, member, customer) : []
  if (shared.some((ip) => !isInStaffNetwork(app, ip))) links.push('device')
  return links
}
