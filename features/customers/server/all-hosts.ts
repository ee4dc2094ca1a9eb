import { handler } from '#foundation/server/http/handler.ts'
import type { App } from '#foundation/server/app.ts'
import { placeInParts } from '#foundation/server/paging/in-parts.ts'
import { pageFrom, placeKinds } from '#foundation/server/paging/paging.ts'
import * as contract from '#features/customers/host-contract.ts'
import { hostSortOf, type HostFilter } from '#features/customers/rules.ts'
import type { Host } from '#features/hosts/contract.ts'
import {
  hostReply,
  hostSummary,
  listAnyHosts,
  ownersOfAny,
  type AnyHosts,
} from '#features/hosts/server/hosts.ts'
import { hostsOfPlan, suspendedHosts } from '#features/licences/server/licences.ts'
import { accountsIn, displayNames } from '#features/profile/server/profile.ts'
import type { Call } from '#foundation/server/http/handler.ts'

/** Answers `GET /api/staff/hosts/`. */
export const listStaffHosts = handler(contract.listStaffHosts, async ({ app, query }) => ({
  status: 200,
  body: await pageOfAnyHosts(app, query),
}))

type Query = Call<typeof contract.listStaffHosts>['query']

/** A page of the servers of all customers, for staff and for the command line. */
export async function pageOfAnyHosts(app: App, { cursor, limit, sort: wished, ...filter }: Query) {
  const sort = hostSortOf(wished, filter.state)
  const rows = await listAnyHosts(
    app.db,
    { ...wantedBy(filter), sort },
    { after: placeInParts(cursor, sort, placeKinds.number, placeKinds.number), limit: limit + 1 },
  )
  const names = await displayNames(
    app,
    app.db,
    rows.map(({ user_id }) => user_id),
  )
  return pageFrom(
    rows,
    limit,
    (row) => [sort, String(row.part), row.place, row.id.toString()],
    (row): contract.StaffHost => {
      const shown = hostReply(row)
      return {
        host: customerHostReply(shown),
        plan: shown.licence.plan?.name ?? null,
        wrong_address: row.connected && row.address_mismatch ? row.agent_address : null,
        customer: names.of(row.user_id),
      }
    },
  )
}

/** A host as staff see it on the page of a customer and in the list of all. */
export const customerHostReply = (host: Host) => ({
  ...hostSummary(host),
  auto_renew: host.auto_renew,
  created_at: host.created_at,
})

/** A statement for the ids of the owners of the servers that a filter finds; a part of another statement. */
export const ownersOfHosts = (filter: HostFilter) => ownersOfAny(wantedBy(filter))

function wantedBy({ state, plan, country }: HostFilter): AnyHosts {
  return {
    trouble: state === 'suspended' ? undefined : state,
    owners: country === undefined ? undefined : accountsIn(country),
    among: [
      ...(plan === undefined ? [] : [hostsOfPlan(plan)]),
      ...(state === 'suspended' ? [suspendedHosts] : []),
    ],
  }
}
