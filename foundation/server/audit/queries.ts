import { sql } from 'kysely'
import type { Act } from '#texts/acts.js'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

export type AuditedAction = {
  /** The account that the action concerns. */
  user_id: string | null
  /**
   * The name of the action. It does not compile unless the texts have a sentence for it in three languages (such as
   * `act_finance__refunded`).
   */
  act: Act
  ip?: string
  user_agent?: string
  request_id?: string
  detail?: Record<string, unknown>
}

/** Writes a security-relevant action to the append-only audit table, in the transaction of the action itself. */
export async function recordAction(
  tx: Tx,
  { user_id, act, ip, user_agent, request_id, detail }: AuditedAction,
): Promise<void> {
  await tx
    .insertInto('audit')
    .values({
      user_id,
      act,
      ip: ip ?? null,
      user_agent: user_agent ?? null,
      request_id: request_id ?? null,
      detail: withHelper(JSON.stringify(detail ?? {})),
    })
    .execute()
}

// Adds the person who acts for another account to the detail: `act_for` has checked that person and set `app.person`.
const withHelper = (detail: string) => sql<string>`${detail}::jsonb || case
  when coalesce(current_setting('app.person', true), '') = '' then '{}'::jsonb
  else jsonb_build_object('by', current_setting('app.person', true)) end`

/** Forgets the origins of some of the rows older than 400 days. Returns the number of these rows, 0 where none is left. */
export async function forgetOldOrigins(tx: Tx): Promise<number> {
  const { rows } = await sql<{ forgotten: number }>`select forget_old_origins() as forgotten`.execute(tx)
  return rows[0]?.forgotten ?? 0
}

// Version numbers are removed, because an updated browser is the same device. A network is a /24, or a /64 of IPv6.
const browserOf = (agent: unknown) => sql`regexp_replace(${agent}, '[0-9._]+', '', 'g')`
const networkOf = (ip: unknown) =>
  sql`set_masklen(${ip}::inet, case family(${ip}::inet) when 4 then 24 else 64 end)`

/** True if the user has signed in within a year, but never from this kind of browser in this network. */
export async function isNewDevice(
  tx: Tx,
  device: { user_id: string; ip: string; user_agent: string },
): Promise<boolean> {
  const known = sql`${browserOf(sql.ref('user_agent'))} = ${browserOf(sql`${device.user_agent}::text`)}
    and network(${networkOf(sql.ref('ip'))}) = network(${networkOf(sql`${device.ip}::text`)})`
  const result = await sql<{ is_new: boolean | null }>`
    select not bool_or(${known}) as is_new from audit
    where user_id = ${device.user_id} and act = 'session.started' and at > now() - interval '1 year'`.execute(
    tx,
  )
  return result.rows[0]?.is_new ?? false
}

/** Returns the addresses from which `other` signed in within 90 days, if `one` used the same kind of browser in the same network. */
export async function addressesOfOneBrowser(db: App['db'], one: string, other: string): Promise<string[]> {
  const devicesOf = (user_id: string) => sql`
    select distinct host(ip) as ip, network(${networkOf(sql.ref('ip'))}) as net, ${browserOf(sql.ref('user_agent'))} as browser
    from audit where user_id = any(array(select people_behind(${user_id}::uuid))) and act = 'session.started' and at > now() - interval '90 days'
      and ip is not null and user_agent <> ''`
  const { rows } = await sql<{ ip: string }>`
    select distinct b.ip from (${devicesOf(one)}) a join (${devicesOf(other)}) b on a.net = b.net and a.browser = b.browser`.execute(
    db,
  )
  return rows.map(({ ip }) => ip)
}

/** True where this account signed in from the network of an address (IPv4 /24, IPv6 /48) within 90 days. */
export async function hasSignedInFrom(app: App, userId: string | undefined, ip: string): Promise<boolean> {
  const address = sql`${ip}::text::inet`
  const network = sql`network(set_masklen(${address}, case family(${address}) when 4 then 24 else 48 end))`
  const result = await sql<{ known: boolean }>`
    select exists (select from audit where user_id = ${userId ?? null}::uuid and act = 'session.started'
      and at > now() - interval '90 days' and ip <<= ${network}) as known`.execute(app.db)
  return result.rows[0]?.known ?? false
}
