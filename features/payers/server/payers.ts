import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { toMoney } from '#foundation/money.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { addMonths, chargeAfter } from '#features/finance/rules.ts'
import { findHost, firstHostsOf, hostReply, hostsById } from '#features/hosts/server/hosts.ts'
import { renewalsFor, type Renewal } from '#features/licences/server/licences.ts'
import { isOfferedTo, provenAddresses } from '#features/profile/server/profile.ts'
import * as contract from '#features/payers/contract.ts'
import type { Side } from '#features/payers/rules.ts'
import * as queries from './queries.ts'
import type { AgreementRow } from './queries.ts'
import { agreementReplies, agreementReply } from './replies.ts'

export { endAgreementsOf } from './endings.ts'
export { lockPayer, lockPayers } from './lock-queries.ts'
export {
  beginCredit,
  hostsPaidBy,
  paidAmong,
  payerOfNew,
  payersOf,
  payFor,
  spentBy,
  type PayerRow,
} from './queries.ts'

/** Answers `GET /api/payment-agreements/`. */
export const list = handler(
  contract.listAgreements,
  async ({ app, actor: { user_id }, query: { side, host_id } }) => {
    return transaction(app, 'nobody', async (tx) => {
      const emails = await provenAddresses(tx, user_id)
      const rows = await queries.agreementsOf(tx, { user_id, side, emails })
      const about = host_id === undefined ? undefined : await agreementsAbout(tx, user_id, host_id)
      const wanted = about ? rows.filter(({ id }) => about.has(id)) : rows
      return { status: 200, body: { items: await agreementReplies(app, tx, wanted, side, about) } } as const
    })
  },
)

async function agreementsAbout(
  tx: Tx,
  user_id: string,
  public_id: string,
): Promise<Map<string, queries.HostState>> {
  const host = await findHost(tx, user_id, public_id)
  return host ? queries.agreementsAbout(tx, host.id) : new Map()
}

/** Answers `GET /api/payment-agreements/{agreementId}/`. */
export const get = handler(contract.getAgreement, async ({ app, actor: { user_id }, params }) => {
  return transaction(app, 'nobody', async (tx) => {
    const row = await queries.findAgreement(tx, params.agreementId)
    const side = row && (await sideOf(tx, row, user_id))
    if (!row || !side) throw notFound()
    return { status: 200, body: await shownOf(app, tx, row, { user_id, side }) } as const
  })
})

/** Returns the side that a person has, or would have by accepting. Undefined for everybody else, and for an agreement that is over. */
export async function sideOf(db: App['db'], row: AgreementRow, user_id: string): Promise<Side | undefined> {
  if (!row.is_open) return undefined
  if (row.owner_id === user_id) return 'owner'
  if (row.payer_id === user_id) return 'payer'
  if (row.state !== 'offered' || !(await isOfferedTo(db, user_id, row.email))) return undefined
  return row.asked_by === 'owner' ? 'payer' : 'owner'
}

const MONTHS_SHOWN = 12

/**
 * Returns an agreement with its servers. A payer sees the names, plans and charges of the servers, but neither IP addresses nor metrics.
 */
async function shownOf(
  app: App,
  tx: Tx,
  row: AgreementRow,
  { user_id, side }: { user_id: string; side: Side },
) {
  const agreement = await agreementReply(app, tx, row, side)
  const named = await queries.hostsOf(tx, row.id)
  const requested = new Map(named.map((host) => [host.host_id, host.requested]))
  const { owner_id } = row
  // An offer whose owner is not known yet names no servers.
  const rows =
    row.all_hosts && row.state === 'offered' && owner_id !== null
      ? await firstHostsOf(tx, owner_id)
      : await hostsById(tx, [...requested.keys()])
  const buyer_id = row.payer_id ?? user_id
  const renewals =
    owner_id === null
      ? []
      : await renewalsFor(app, tx, { owner_id, buyer_id, host_ids: rows.map(({ id }) => id) })
  const until = addMonths(new Date(), MONTHS_SHOWN)
  const next = new Map(renewals.map((renewal) => [renewal.host_id, renewal]))
  const charges = new Map(rows.map(({ id }) => [id, chargesUntil(next.get(id), until)]))
  const { currency } = app.config
  const hosts = rows.map((host): contract.PaidHost => {
    const { id, name, licence } = hostReply(host)
    return {
      id,
      name,
      plan: licence.plan?.name ?? null,
      paid_until: licence.paid_until,
      requested: requested.get(host.id) ?? row.state === 'offered',
      charges: (charges.get(host.id) ?? []).map(({ due_at, total }) => ({
        due_at: due_at.toISOString(),
        total: toMoney(total, currency),
      })),
    }
  })
  const total = [...charges.values()].flat().reduce((sum, charge) => sum + charge.total, 0n)
  return { agreement, hosts, total: toMoney(total, currency) }
}

function chargesUntil(next: Renewal | undefined, until: Date): { due_at: Date; total: bigint }[] {
  const charges: { due_at: Date; total: bigint }[] = []
  if (!next) return charges
  for (let step = 0; step < MONTHS_SHOWN; step += 1) {
    const due_at = chargeAfter(next.due_at, step * next.months)
    if (due_at > until || (step > 0 && next.months < 1)) break
    charges.push({ due_at, total: next.total })
  }
  return charges
}
