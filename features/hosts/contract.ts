import * as z from 'zod/mini'
import { capability, helperRoles, mayActAs, seeMoney } from '#foundation/capability.ts'
import { event, route, liveEvent } from '#foundation/contract.ts'
import { email, requiredText, text, translated, uuid } from '#foundation/fields.ts'
import { optionalIdempotencyKey } from '#foundation/idempotency.ts'
import { money } from '#foundation/money.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { bigCount, count, digitsOr, emailText, ipv4Text, named, time, uuidText } from '#foundation/printed.ts'
import { changedReply, version } from '#foundation/versions.ts'
import { canonicalIpv6 } from '#foundation/ipv6.ts'
import { published } from '#foundation/published.ts'
import { permission, staff } from '#foundation/roles.ts'
import { HELP_NOTE_LENGTH, isIpv4, isPrintable, NAME_LENGTH, suspensionReasons } from './rules.ts'

/** A customer's servers (rows H-01, H-02): name, addresses, connection, and licence. */

/** A plan, with the name that it had at the time of the order. */
const plan = z.strictObject({
  slug: z.string(),
  name: translated(),
})

/** The entitlements by key: `machines` is the number of machines. */
export const entitlements = z.record(z.string(), z.union([z.boolean(), z.number(), z.string()]))

/** The plan, price, term and order belong to the running paid period, or to the last one; null while the licence is free. */
const licence = z.strictObject({
  status: z.enum(['free', 'active', 'expired']),
  plan: z.nullable(plan),
  /** The price of this period, VAT included; null if a former owner bought it. */
  price: z.nullable(money),
  /** An ISO 8601 duration: P1M, P3M or P1Y. */
  term: z.nullable(z.string()),
  ordered_at: z.nullable(time()),
  /** The end of all paid terms, with any plan. */
  paid_until: z.nullable(time()),
  /** Whole seconds until `paid_until`; 0 unless active. */
  remaining_s: bigCount(),
  /** The edition of the plan. */
  edition: z.nullable(z.string()),
  /** The entitlements of the licence, by key: those of its edition at the purchase of this period, and later additions to the edition. */
  entitlements,
  /** Another, already paid plan, and the time at which it begins; null if the plan stays. */
  next: z.nullable(z.strictObject({ plan, edition: z.string(), starts_at: time() })),
  /** The plan of the last paid period, which runs at the end of the paid term. */
  last_plan: z.nullable(plan),
  /** The plan that the automatic renewal buys: the plan chosen for the end of the paid term, or else the plan of the last period. */
  renewal_plan: z.nullable(plan),
  /** The add-ons with which the licence renews; left out if there are none. */
  extras: z.optional(z.array(z.strictObject({ extra: z.string(), name: translated(), quantity: count() }))),
  /** The end of this period if it is a free trial; null for a paid period. */
  trial_until: z.nullable(time()),
  /** The suspension, if the host may not run; its paid term runs on. `text` is the explanation by the operator, or empty. */
  suspended: z.nullable(
    z.strictObject({ since: time(), reason: z.enum(suspensionReasons), text: z.string() }),
  ),
})
named('HostLicence', licence)

const product = z.strictObject({
  slug: z.string(),
  name: translated(),
  kind: z.enum(['server', 'program']),
})
named('HostProduct', product)

const agent = z.strictObject({
  version: z.string(),
  hostname: z.string(),
  uptime_s: bigCount(),
  /** The IP address from which the last check-in came. */
  address: z.string(),
})
named('HostAgent', agent)

export const host = z.strictObject({
  /** 22 random characters. */
  id: z.string(),
  name: z.string(),
  /** The product; left out for a server of the product `server`. A `program` has no address and no agent. */
  product: z.optional(product),
  ipv4: z.nullable(ipv4Text()),
  /** An address, or a /64 network as `2001:db8:0:1::/64`, in the form of RFC 5952. */
  ipv6: z.nullable(z.string()),
  /** Free changes of the addresses that are left now; null while no licence is paid, for then changes are not counted. */
  ipv4_changes_left: z.nullable(count()),
  created_at: time(),
  auto_renew: z.boolean(),
  /** Five groups of five letters and digits; it names the licence and proves nothing. */
  licence_key: z.string(),
  licence,
  /** The last check-in is younger than two of the intervals that the agent was told (1 to 10 minutes). */
  connected: z.boolean(),
  last_seen_at: z.nullable(time()),
  /** True if the last check-in came from another address than the host's address of the same family. Behind a NAT this is normal. */
  address_mismatch: z.boolean(),
  has_agent_token: z.boolean(),
  /** The agent's last report about itself; null before its first check-in. */
  agent: z.nullable(agent),
  /** Counts the edits by people: name and addresses. */
  version,
  /**
   * The owner of another account's host, and the role in which the caller acts for the owner; null for one's own host. Technical
   * helpers see no price.
   */
  account: z.nullable(z.strictObject({ id: uuidText(), name: z.string(), role: z.enum(helperRoles) })),
})
named('Host', host)
export type Host = z.infer<typeof host>

export const seeHosts = capability('hosts.see', ['technical', 'billing', 'full', 'read'])
/** Lets a helper change names and addresses, and make agent tokens. */
export const changeHosts = capability('hosts.change', ['technical', 'full'])
/** Lets a helper make the call `updateHost`, which checks a further capability for each changed field. */
const updateHosts = capability('hosts.update', ['technical', 'billing', 'full'])
const createHosts = capability('hosts.create', ['technical', 'full'])
const deleteHosts = capability('hosts.delete', ['full'])

/** Lets staff grant a customer more than a limit allows: the texts of the limits tell customers to ask for it. */
export const helpPermission = permission('customers.help', ['support', 'admin'], { proof: 'recent' })
/** The reason, which only staff read. */
export const helpNote = requiredText(HELP_NOTE_LENGTH)

/** Ids that are malformed, deleted or belong to someone else are all reported as unknown. */
export const hostId = z.string().check(z.regex(/^[\w-]{22}$/))
const params = z.strictObject({ hostId })

/** Up to 63 visible characters. If a new host has an empty name, the server makes a name up (row V-04). */
const newHostName = text(NAME_LENGTH).check(z.refine(isPrintable, { error: 'invalid' }))
const hostName = requiredText(NAME_LENGTH).check(z.refine(isPrintable, { error: 'invalid' }))

/** A dotted quad; addresses of private and reserved ranges are valid, too (row V-04). */
export const ipv4 = requiredText(300).check(z.refine(isIpv4, { error: 'invalid_ipv4' }))

/** An address or a /64 network in any spelling, which is rewritten in its canonical form (foundation/ipv6.ts). */
export const ipv6 = requiredText(300).check(
  z.overwrite<string>((typed) => canonicalIpv6(typed) ?? ''),
  z.refine((address) => address !== '', { error: 'invalid_ipv6' }),
)

/** The error codes for an address that another licence has. */
export const addressErrors = ['ipv4_licensed', 'ipv6_licensed'] as const

/** The fields of a new host. An order of a licence makes the IPv4 required. */
export const newHost = {
  name: z.optional(newHostName),
  ipv4: z.optional(z.nullable(ipv4)),
  ipv6: z.optional(z.nullable(ipv6)),
}

export const listHosts = route({
  id: 'listHosts',
  tag: 'Servers',
  method: 'GET',
  path: '/api/hosts/',
  access: { who: 'customer', acts: seeHosts },
  fromReplica: true,
  viewable: true,
  tool: 'read',
  summary: 'List, search and sort the hosts',
  description: 'The hosts; `q` searches names and addresses. Sorted by created_at (newest first) by default',
  query: z.strictObject({
    ...pageQuery,
    q: z.optional(text(100)),
    licence: z.optional(z.enum(['free', 'active', 'expired'])),
    connected: z.optional(z.enum(['yes', 'no'])),
    sort: z._default(z.enum(['name', 'created_at', 'paid_until']), 'created_at'),
    /** By default names ascend, the newest host comes first, and the earliest end comes first. Hosts that were never paid come last. */
    direction: z.optional(z.enum(['asc', 'desc'])),
    /** Lists the hosts of this account, for which you act, instead of your own; `all` lists your own and those of all such accounts. */
    for: z.optional(z.union([uuid, z.literal('all')])),
  }),
  replies: { 200: pageOf(host) },
})

export const createHost = route({
  id: 'createHost',
  tag: 'Servers',
  method: 'POST',
  path: '/api/hosts/',
  access: { who: 'customer', acts: createHosts, whileBlocked: 'refused' },
  summary: 'Add a host with a free licence; without a name it gets one',
  headers: optionalIdempotencyKey,
  body: z.strictObject(newHost),
  replies: { 201: host },
  errors: { 400: ['invalid_ipv4', 'invalid_ipv6'], 409: ['too_many_hosts'] },
})

export const getHost = route({
  id: 'getHost',
  tag: 'Servers',
  method: 'GET',
  path: '/api/hosts/{hostId}/',
  access: { who: 'customer', acts: seeHosts },
  viewable: true,
  tool: 'read',
  summary: 'One host',
  params,
  replies: { 200: host },
})

export const updateHost = route({
  id: 'updateHost',
  tag: 'Servers',
  method: 'PATCH',
  path: '/api/hosts/{hostId}/',
  access: { who: 'customer', acts: updateHosts, whileBlocked: 'allowed' },
  tool: 'propose',
  summary: 'Change the named fields of a host',
  description:
    'Rename, change the addresses, switch the automatic renewal; only the named fields. While a licence is paid one address stays, IPv4 or IPv6, and each change of them counts. A blocked customer keeps them as they are',
  params,
  body: z.strictObject({
    name: z.optional(hostName),
    ipv4: z.optional(z.nullable(ipv4)),
    ipv6: z.optional(z.nullable(ipv6)),
    auto_renew: z.optional(z.boolean()),
    /** If given and stale, nothing changes, and 409 carries the present host. */
    version: z.optional(version),
  }),
  replies: { 200: host, 409: changedReply(host) },
  errors: {
    400: ['invalid_ipv4', 'invalid_ipv6', 'address_required'],
    403: ['account_blocked'],
    409: ['changed', 'not_for_programs', 'ipv4_change_limit', ...addressErrors, 'trial_used'],
  },
})

export const deleteHost = route({
  id: 'deleteHost',
  tag: 'Servers',
  method: 'DELETE',
  path: '/api/hosts/{hostId}/',
  access: { who: 'customer', acts: deleteHosts, whileBlocked: 'allowed' },
  summary: 'Delete a host, whose name must be typed',
  description: 'Delete a host; `name` is its name, typed anew; the paid term is lost, the invoices stay',
  params,
  query: z.strictObject({ name: requiredText(300) }),
  replies: { 204: null },
  errors: { 400: ['name_mismatch'] },
})

export const makeAgentToken = route({
  id: 'makeAgentToken',
  tag: 'Servers',
  method: 'POST',
  path: '/api/hosts/{hostId}/agent-token/',
  access: { who: 'customer', acts: changeHosts, whileBlocked: 'refused' },
  summary: 'A new token for the agent, shown this once',
  description: 'A new token for the agent, shown this once; the one before is void',
  params,
  replies: { 201: z.strictObject({ token: z.string() }) },
  errors: { 409: ['not_for_programs'] },
})

const addresses = { ipv4: z.nullable(ipv4), ipv6: z.nullable(ipv6) }

/** Acts of staff on a customer's host beyond the limits. */
export const changeHostAddresses = route({
  id: 'changeHostAddresses',
  tag: 'Staff customers',
  method: 'PUT',
  path: '/api/staff/hosts/{hostId}/addresses/',
  access: staff(helpPermission),
  summary: "Change the addresses of a customer's host",
  description:
    'Change both addresses of a host (null: none). Neither the limit of changes counts nor does the change count towards it. With a paid licence one address stays',
  params,
  /** `from` are the addresses that were shown. */
  body: z.strictObject({ ...addresses, from: z.strictObject(addresses), note: helpNote }),
  replies: { 200: host },
  errors: {
    400: ['invalid_ipv4', 'invalid_ipv6', 'address_required'],
    403: ['own_account'],
    409: ['changed', 'not_for_programs', ...addressErrors, 'trial_used'],
  },
})

export const resetAddressChanges = route({
  id: 'resetAddressChanges',
  tag: 'Staff customers',
  method: 'DELETE',
  path: '/api/staff/hosts/{hostId}/address-changes/',
  access: staff(helpPermission),
  summary: 'Let a customer change the addresses of a host again',
  description: 'Forget the counted address changes of a host, so that its owner has all of them again',
  params,
  query: z.strictObject({ note: helpNote }),
  replies: { 200: host },
  errors: { 403: ['own_account'] },
})

/** Starts the transfer of a host for its owner (transfer-contract.ts). */
export const offerForCustomer = route({
  id: 'offerForCustomer',
  tag: 'Staff customers',
  method: 'POST',
  path: '/api/staff/hosts/{hostId}/transfer/',
  access: staff(helpPermission),
  summary: "Offer a customer's host to another account",
  description:
    'The owner is mailed and may withdraw it; the other account accepts. Neither may be the caller',
  params,
  body: z.strictObject({ email: email(), note: helpNote }),
  replies: { 201: z.strictObject({ id: uuidText(), email: emailText(), expires_at: time() }) },
  errors: {
    400: ['own_address'],
    403: ['own_account'],
    409: ['host_suspended', 'balance_below_zero', 'transfer_open'],
  },
})

const series = z.array(z.nullable(z.number()))

export const getMetrics = route({
  id: 'getMetrics',
  tag: 'Servers',
  method: 'GET',
  path: '/api/hosts/{hostId}/metrics/',
  access: { who: 'customer', acts: seeHosts },
  fromReplica: true,
  viewable: true,
  summary: 'Load, memory and disk of the last hours',
  description:
    'Load, memory and disks of the last hours as series of at most 301 means; null if nothing was reported',
  params,
  query: z.strictObject({
    hours: digitsOr(24, /^(?:[1-9]\d?|[1-6]\d\d|7[01]\d|720)$/, 1, 720),
  }),
  replies: {
    200: z.strictObject({
      step_s: count(),
      /** The beginning of each step; each series has one value per step. */
      times: z.array(time()),
      load_1m: series,
      memory_used_bytes: series,
      memory_total_bytes: series,
      disk_used_bytes: series,
      disk_total_bytes: series,
      /** The disks other than `/`: the eight fullest. */
      disks: z.array(z.strictObject({ mount: z.string(), used_bytes: series, total_bytes: series })),
    }),
  },
})
named('Metrics', getMetrics.replies[200])
export type Metrics = z.infer<(typeof getMetrics)['replies'][200]>

type Named = { user_id: string; id: bigint; host_id: string }

/** A host is deleted, by its owner or with the account. `id` is the row's id, `host_id` the public id. */
export const hostDeleted = event<Named>('host.deleted')

/** The addresses of a host have changed (null: none). A listener that finds an address in use throws 409 `ipv4_licensed` or `ipv6_licensed`. */
export const addressesChanged = event<Named & { ipv4: string | null; ipv6: string | null }>(
  'host.addresses_changed',
)

/**
 * A host, whose row is locked, is about to go to the account `to`: listeners detach it from everything that stays with `user_id`. Rows that
 * carry owner and host follow by their foreign key. With `same_person` both accounts are one person's, who has chosen what is kept.
 */
export const hostTransferred = event<Named & { to: string; same_person: boolean }>('host.transferred')

/**
 * The owner of servers is told of alerts, in the transaction that queues the mail. Without a server it is about `count` alerts of several.
 */
export const alertNotified = event<{
  user_id: string
  host: { id: string; name: string } | null
  kind: 'offline' | 'disk'
  is_over: boolean
  count: number
}>('host.alert_notified')

/** The automatic renewal was switched on or off. */
export const autoRenewChanged = event<Named & { auto_renew: boolean }>('host.auto_renew_changed')

/** Declares a kind of account event whose data is a host. A helper sees its price by a role that sees money alone. */
export const publishedOfHost = (type: `${string}.${string}`, summary: string) =>
  published(type, {
    summary,
    data: host,
    opens: seeHosts,
    reduced: (data, role) =>
      mayActAs(role, seeMoney) ? data : { ...data, licence: { ...data.licence, price: null } },
  })

/** A host has changed: for example it was connected, paid or renamed. Carries `host_id`. */
export const HOST_CHANGED = liveEvent('host.changed')

/** A host was deleted. Carries `host_id`. */
export const HOST_DELETED = liveEvent('host.deleted')
