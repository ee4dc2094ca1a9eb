import { assertMayAdd, createHost, hostsById, lockHostsById, ownHosts } from '#features/hosts/server/hosts.ts'
import { payerOfNew, payersOf, lockPayers, type PayerRow } from '#features/payers/server/payers.ts'
import type { ChosenExtras } from '#features/licences/contract.ts'
import { isProgram } from '#features/hosts/rules.ts'
import { productOfPlan } from '#features/licences/server/licences.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { badRequest, notFound } from '#foundation/server/http/http-error.ts'
import { MOST_NEW_SERVERS } from '#features/sales/rules.ts'
import type { ServerRow } from './gate.ts'

/** One server of a bulk, at its place in the call; a new server has its address as name if no name was typed. */
export type Server = {
  host: ServerRow
  place: number
  name: string
  isNew: boolean
  /** The extras of a new server; without them, those of its licence. */
  extras?: ChosenExtras | undefined
}

type Named = {
  /** The plan of an order, whose product the new hosts are of. */
  plan?: string | undefined
  host_ids?: string[] | undefined
  hosts?:
    | {
        name?: string | undefined
        ipv4?: string | undefined
        ipv6?: string | null | undefined
        extras?: ChosenExtras | undefined
      }[]
    | undefined
}

/** Returns the row ids of these servers; throws 404 unless all of them are this customer's (rule 4). */
async function rowsOf(tx: Tx, user_id: string, public_ids: readonly string[]) {
  const rows = await ownHosts(tx, user_id, public_ids)
  if (rows.length < public_ids.length) throw notFound()
  return rows.map(({ id }) => id)
}

const inOrder = (hosts: readonly ServerRow[], public_ids: readonly string[]): Server[] => {
  const places = new Map(public_ids.map((public_id, place) => [public_id, place]))
  // The lines of the invoice, and the shares of VAT, are in the order of the servers' row ids.
  return hosts
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map((host) => ({ host, place: must(places.get(host.public_id)), name: host.name, isNew: false }))
}

/** Returns the servers for a preview, without locks: existing servers as they are, and new servers as they would be made. */
export async function shownServers(
  tx: Tx,
  user_id: string,
  { host_ids, hosts, plan }: Named,
): Promise<Server[]> {
  if (host_ids) return inOrder(await hostsById(tx, await rowsOf(tx, user_id, host_ids)), host_ids)
  const nothing = {
    public_id: '',
    product: await productFor(tx, { plan, hosts }),
    periods: [],
    renewal: null,
    extras_at_end: null,
    suspended: null,
    paid_until: null,
  }
  return (hosts ?? []).map(({ name: typed = '', ipv4 = null, ipv6 = null, extras }, place) => {
    const name = typed || (ipv4 ?? '')
    const host = {
      ...nothing,
      // A negative number belongs to no server: the attack is a preview that shows until when another customer's server is paid.
      id: BigInt(place - MOST_NEW_SERVERS),
      user_id,
      name,
      ipv4,
      ipv6,
      auto_renew: false,
      now: new Date(),
    }
    return { host, place, name, isNew: true, extras }
  })
}

/** Returns the product of the plan that is ordered. Throws 400 `invalid`@ipv4 and @ipv6 for an address of a program. */
async function productFor(tx: Tx, { plan, hosts = [] }: Pick<Named, 'plan' | 'hosts'>) {
  const product = await productOfPlan(tx, plan)
  for (const field of isProgram({ product }) ? (['ipv4', 'ipv6'] as const) : [])
    if (hosts.some(({ [field]: address }) => typeof address === 'string')) throw badRequest('invalid', field)
  return product
}

/**
 * Locks the servers until the transaction ends, or makes the new ones. Throws 404, 409 `too_many_hosts`, 403 `not_allowed_for_role`, and as
 * `shownServers`.
 */
export async function lockedServers(
  app: App,
  tx: Tx,
  user_id: string,
  { host_ids, hosts, plan }: Named,
): Promise<Server[]> {
  if (host_ids) {
    const ids = await rowsOf(tx, user_id, host_ids)
    const found = await lockHostsById(tx, ids)
    // A server was deleted, or changed its owner, since its row was found.
    if (found.length < ids.length || found.some((host) => host.user_id !== user_id)) throw notFound()
    return inOrder(found, host_ids)
  }
  assertMayAdd(app)
  await productFor(tx, { plan, hosts })
  const made: Server[] = []
  for (const [place, { extras, ...wanted }] of (hosts ?? []).entries()) {
    const host = await createHost(tx, { user_id, plan, ...wanted })
    made.push({ host, place, name: wanted.name || (wanted.ipv4 ?? host.name), isNew: true, extras })
  }
  return made
}

/**
 * Returns the payers, by row id of the server, if their agreement covers orders by a person too, not only automatic renewals. `lock` keeps
 * the agreements locked until the transaction ends.
 */
export async function payersOfServers(
  tx: Tx,
  user_id: string,
  servers: readonly Server[],
  { lock }: { lock: boolean },
): Promise<Map<bigint, PayerRow>> {
  const ids = servers.map(({ host }) => host.id)
  if (!lock && servers[0]?.isNew) {
    const payer = await payerOfNew(tx, user_id)
    return new Map(payer?.pays === 'all' ? ids.map((host_id) => [host_id, { ...payer, host_id }]) : [])
  }
  const rows = lock ? await lockPayers(tx, ids) : await payersOf(tx, ids)
  return new Map(rows.filter(({ pays }) => pays === 'all').map((row) => [row.host_id, row]))
}
