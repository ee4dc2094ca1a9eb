import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/hosts/alert-contract.ts'
import * as queries from './alert-queries.ts'
import { alertReply, recordAlerts } from './alert-reply.ts'
import { assertMayAdd } from './hosts.ts'
import { hostOf, lockHost } from './own-host.ts'
import { publishHostChanged } from './publish.ts'
import type { Db, HostRow } from './queries.ts'

/** The band above the list of servers shows so many. */
const SHOWN = 5

/** Answers `GET /api/alerts/`. */
export const list = handler(contract.listAlerts, async ({ app, actor: { user_id } }) => {
  const scope = { grant_id: app.acting?.all_hosts === false ? app.acting.grant_id : undefined, limit: SHOWN }
  const rows = await queries.openAlerts(app.db, user_id, scope)
  return { status: 200, body: { items: rows.map(alertReply), count: rows[0]?.of ?? 0 } }
})

/** Answers `GET /api/alerts/settings/`. */
export const getSettings = handler(contract.getAlertSettings, async ({ app, actor: { user_id } }) => ({
  status: 200,
  body: await queries.accountSettings(app.db, user_id),
}))

/** Answers `PATCH /api/alerts/settings/`. */
export const updateSettings = handler(
  contract.updateAlertSettings,
  async ({ app, actor: { user_id }, body, caller }) => {
    // The values are for all servers of the account.
    assertMayAdd(app)
    return transaction(app, { userId: user_id }, async (tx) => {
      await queries.putSettings(tx, user_id, null, body)
      const closed = await queries.applySettings(tx, { user_id })
      recordAlerts(tx, closed)
      for (const { host_id } of closed) await publishHostChanged(tx, user_id, host_id)
      await recordAction(tx, {
        user_id,
        act: 'host.alerts_changed',
        ...originOf(caller),
        detail: { ...body },
      })
      return { status: 200, body: await queries.accountSettings(tx, user_id) } as const
    })
  },
)

/** Answers `GET /api/hosts/{hostId}/alerts/`. */
export const getOfHost = handler(contract.getHostAlerts, async ({ app, actor, params }) => ({
  status: 200,
  body: await alertsOf(app.db, await hostOf(app.db, actor.user_id, params.hostId)),
}))

/** Answers `PATCH /api/hosts/{hostId}/alerts/`. */
export const updateOfHost = handler(
  contract.updateHostAlerts,
  async ({ app, actor, params, body, caller }) => {
    return transaction(app, { userId: actor.user_id }, async (tx) => {
      const host = await lockHost(tx, actor.user_id, params.hostId)
      const { id: host_id, user_id, public_id } = host
      await queries.putSettings(tx, user_id, host_id, body)
      recordAlerts(tx, await queries.applySettings(tx, { user_id, host_id }))
      await publishHostChanged(tx, user_id, public_id)
      const detail = { host_id: public_id, ...body }
      await recordAction(tx, { user_id, act: 'host.alerts_changed', ...originOf(caller), detail })
      return { status: 200, body: await alertsOf(tx, host) } as const
    })
  },
)

async function alertsOf(db: Db, { id, user_id }: HostRow): Promise<contract.AlertsOfHost> {
  const own = await queries.ownSettings(db, user_id, id)
  const account = await queries.accountSettings(db, user_id)
  return { own, account, items: (await queries.alertsOfHost(db, id)).map(alertReply) }
}

/** All alerts of an account, and its values, for the copy of its data. */
export const alertsFile = async (app: App, user_id: string) => ({
  settings: await queries.accountSettings(app.db, user_id),
  alerts: (await queries.alertsOfAccount(app.db, user_id)).map(alertReply),
})
