import { createHash, randomBytes } from 'node:crypto'
import { AGENT_TOKEN_PREFIX, type Agent } from '#foundation/server/agents.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { batched } from '#foundation/server/database/batched.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/hosts/contract.ts'
import { INTERVAL_S, isProgram } from '#features/hosts/rules.ts'
import { turnAlerts } from './alert-turns.ts'
import * as queries from './agent-queries.ts'
import type { CheckIn } from './agent-queries.ts'
import { pointOf } from './figures.ts'
import { gather } from './gather.ts'
import { noteComing, restingInterval } from './interval.ts'
import { lockHost } from './own-host.ts'
import { publishHostChanged } from './publish.ts'
import type { HostRow } from './queries.ts'
import { recordOffline, recordReport } from './record-events.ts'

/** Makes a token of 256 random bits; only its SHA-256 is stored (rule 15). The previous token is void at once. */
export const makeToken = handler(contract.makeAgentToken, async ({ app, actor, params, caller }) => {
  const token = AGENT_TOKEN_PREFIX + randomBytes(32).toString('base64url')
  await transaction(app, { userId: actor.user_id }, async (tx) => {
    const host = await lockHost(tx, actor.user_id, params.hostId)
    if (isProgram(host)) throw new HttpError(409, [{ code: 'not_for_programs' }])
    await storeToken(tx, host, token)
    const { user_id, public_id } = host
    const { ip, user_agent } = caller
    await recordAction(tx, {
      user_id,
      act: 'host.agent_token_made',
      ip,
      user_agent,
      detail: { host_id: public_id },
    })
    await publishHostChanged(tx, user_id, public_id)
  })
  return { status: 201, body: { token } }
})

/** Gives a host's agent this token, which replaces the previous one. */
export const storeToken = (tx: Tx, { id, user_id }: Pick<HostRow, 'id' | 'user_id'>, token: string) =>
  queries.putToken(tx, { host_id: id, user_id, token_hash: hashOf(token) })

/** The agent with this token, read from the database; undefined for a void token and for the token of a deleted host. */
export const findByAgentToken = (app: App, token: string): Promise<Agent | undefined> =>
  queries.agentByToken(app, hashOf(token))

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Records a check-in: the host counts as connected from now on, and its figures are stored soon. Returns the host, with the interval to tell,
 * or undefined if it was deleted meanwhile. Concurrent check-ins are written together: one transaction for up
 * to 200 of them, which lets two cores take thousands a second.
 */
export async function recordCheckIn(app: App, checkIn: CheckIn): Promise<HostRow | undefined> {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(checkIn.address) ?? []
  const host = await record(app, mapped ? { ...checkIn, address: mapped } : checkIn)
  // Soon, for somebody who looks at the host at whatever process.
  const isUrgent = host?.interval_s === INTERVAL_S
  if (host?.last_seen_at) gather(app, host.id, pointOf(host.last_seen_at, checkIn.figures), isUrgent)
  return host
}

const record = batched((app: App, checkIns: readonly CheckIn[]) =>
  transaction(app, 'system', async (tx) => {
    const written = await queries.writeCheckIns(tx, checkIns, restingInterval(app))
    const news = new Map(written.filter(({ is_news }) => is_news).map((report) => [report.host_id, report]))
    const hosts = await queries.hostsById(
      tx,
      written.map(({ host_id }) => host_id),
    )
    const alerted = await turnAlerts(tx, written)
    for (const host of hosts) {
      const report = news.get(host.id)
      if (report) recordReport(tx, host, report)
      if (report || alerted.has(host.public_id)) await publishHostChanged(tx, host.user_id, host.public_id)
    }
    const byId = new Map(hosts.map((host) => [host.id, host]))
    noteComing(app, written)
    return new Map(checkIns.flatMap((one) => entryOf(one, byId.get(one.host_id))))
  }),
)

const entryOf = (checkIn: CheckIn, host: HostRow | undefined): [CheckIn, HostRow][] =>
  host ? [[checkIn, host]] : []

const OFFLINE_CHECK = 500

/** Notifies the owners of hosts that went offline (docs/decisions/015-offline-hosts.md). Several processes may check at once. */
export async function detectOfflineHosts(app: App): Promise<void> {
  if (!(await queries.isAnyDue(app))) return
  let looked: number
  do {
    looked = await transaction(app, 'system', async (tx) => {
      const due = await queries.claimDue(tx, OFFLINE_CHECK)
      const silent = due.filter(({ is_silent }) => is_silent)
      // A fixed order when publishing for several people; without it two transactions could wait for each other.
      for (const { user_id, public_id } of silent.toSorted(byOwner))
        await publishHostChanged(tx, user_id, public_id)
      recordOffline(tx, silent)
      return due.length
    })
  } while (looked === OFFLINE_CHECK)
}

const byOwner = (one: queries.CheckedAgent, other: queries.CheckedAgent) =>
  one.user_id < other.user_id ? -1 : 1
