import { createHash } from 'node:crypto'
import { hostOf } from '#features/hosts/server/hosts.ts'
import { beginTrial, upgradeNow } from '#features/sales/server/sales.ts'
import { toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import { runLastActs } from '#foundation/server/database/transaction.ts'
import * as past from './licence-queries.ts'
import { seedEvent } from './seed-event.ts'

/**
 * Upgrades to a higher edition: unused time is credited, and the remaining time bought anew. The clock of the database decides how much
 * is unused, so the server's runtime is moved to the present during the upgrade.
 */
export const upgrade = seedEvent<[string, string]>(async ({ app, tx, user_id, hosts }, at, name, plan) => {
  const { public_id } = must(hosts.get(name))
  const ago_ms = Date.now() - at.getTime()
  await past.moveRuntime(tx, public_id, ago_ms)
  const host = await hostOf(tx, user_id, public_id)
  await upgradeNow(app, tx, host, { plan, scope: 'all', begin_now: true })
  await runLastActs(tx)
  await past.moveRuntime(tx, public_id, -ago_ms)
})

/** Starts the trial of an edition, for as many days as the edition offers. */
export const tryEdition = seedEvent<[string, string]>(async ({ app, tx, user_id, hosts }, at, name, slug) => {
  const host = await hostOf(tx, user_id, must(hosts.get(name)).public_id)
  await beginTrial(app, tx, host, { slug, expected_total: toMoney(0n, app.config.currency) })
  await past.moveRuntime(tx, host.public_id, at.getTime() - Date.now())
})

/** A machine runs with the licence of a server from then on. `isOver` marks a machine that exceeds the licence. */
export const runOn = seedEvent<[string, { hostname: string; address: string; isOver?: boolean }]>(
  ({ tx, hosts }, at, name, { isOver = false, ...machine }) => {
    const { public_id } = must(hosts.get(name))
    const fingerprint = createHash('sha256').update(`${public_id} ${machine.hostname}`).digest('hex')
    return past.insertMachine(tx, { public_id, fingerprint, ...machine, at, isOver })
  },
)
