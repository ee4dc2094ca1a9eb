import { mayActAs, seeMoney } from '#foundation/capability.ts'
import type { Host } from '#features/hosts/contract.ts'
import {
  FREE_IPV4_CHANGES,
  isTrial,
  licenceAt,
  licenceStatus,
  nextPlan,
  planAtEnd,
  remainingSeconds,
} from '#features/hosts/rules.ts'
import { toMoney } from '#foundation/money.ts'
import type { Held } from '#foundation/server/acting.ts'
import type { PaidTime, ShownHost } from './queries.ts'

/** A host as its owner sees it. Values that depend on the time are of the moment when the row was read. */
export function hostReply(row: ShownHost): Host {
  const status = licenceStatus(row.paid_until, row.now)
  return {
    id: row.public_id,
    name: row.name,
    ...(row.product && { product: row.product }),
    ipv4: row.ipv4,
    ipv6: row.ipv6,
    ipv4_changes_left: status === 'active' ? Math.max(0, FREE_IPV4_CHANGES - row.ipv4_changes) : null,
    created_at: row.created_at.toISOString(),
    auto_renew: row.auto_renew,
    licence_key: row.licence_key,
    licence: { status, ...licenceReply(row), remaining_s: remainingSeconds(row.paid_until, row.now) },
    connected: row.connected,
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
    address_mismatch: row.address_mismatch,
    has_agent_token: row.has_agent_token,
    agent: agentReply(row),
    version: row.version,
    account: null,
  }
}

/** A host in lists of staff: without its licence key. */
export const hostSummary = ({ id, name, ipv4, ipv6, connected, last_seen_at, licence }: Host) => ({
  id,
  name,
  ipv4,
  ipv6,
  connected,
  last_seen_at,
  licence: licence.status,
  suspended: licence.suspended !== null,
  paid_until: licence.paid_until,
})

/** The host as its reader may see it: a helper also sees the owner's account, and the price only if the helper's role may see money. */
export const hostReplyTo =
  (held: Held | undefined) =>
  (row: ShownHost): Host => {
    const host = hostReply(row)
    if (!held) return host
    const { account, role } = held
    const licence = mayActAs(role, seeMoney) ? host.licence : { ...host.licence, price: null }
    return { ...host, account: { ...account, role }, licence }
  }

function licenceReply(row: ShownHost): Omit<Host['licence'], 'status' | 'remaining_s'> {
  const present = licenceAt(row.periods, row.now)
  const next = nextPlan(row.periods, row.now)
  const last = row.periods.at(-1)
  const renewal = planAtEnd(row)
  const extras = (row.extras_at_end ?? last?.extras ?? []).flatMap(({ kind, extra, name, quantity }) =>
    kind === 'addon' ? [{ extra, name, quantity }] : [],
  )
  return {
    plan: present ? planReply(present) : null,
    price: present?.price ? toMoney(BigInt(present.price), present.currency) : null,
    term: present?.term ?? null,
    ordered_at: present ? timeText(present.ordered_at) : null,
    paid_until: row.paid_until?.toISOString() ?? null,
    edition: present?.edition ?? null,
    entitlements: present?.entitlements ?? {},
    next: next ? { plan: planReply(next), edition: next.edition, starts_at: timeText(next.starts_at) } : null,
    last_plan: last ? planReply(last) : null,
    renewal_plan: renewal ? planReply(renewal) : null,
    ...(extras.length > 0 && { extras }),
    trial_until: present && isTrial(present) ? timeText(present.ends_at) : null,
    suspended: row.suspended && { ...row.suspended, since: timeText(row.suspended.since) },
  }
}

const planReply = ({ plan, plan_name }: Pick<PaidTime, 'plan' | 'plan_name'>) => ({
  slug: plan,
  name: plan_name,
})

/** Returns a time from PostgreSQL, which writes +00:00, in the form of all times of the API, which end with Z. */
const timeText = (time: string): string => new Date(time).toISOString()

function agentReply(row: ShownHost): Host['agent'] {
  if (row.last_seen_at === null) return null
  return {
    version: row.agent_version ?? '',
    hostname: row.agent_hostname ?? '',
    uptime_s: row.agent_uptime_s ?? 0,
    address: row.agent_address ?? '',
  }
}
