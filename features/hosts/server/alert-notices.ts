import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { lockByName, transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { alertNotified } from '#features/hosts/contract.ts'
import { mailNotice, mailTogether } from './alert-mails.ts'
import * as queries from './alert-notice-queries.ts'
import type { PendingRow } from './alert-notice-queries.ts'

/** So many news of an account within two minutes are one mail. */
const TOGETHER = 10

/** Mails what there is to tell of alerts, an account at a time. */
export async function tellAlerts(app: App): Promise<void> {
  for (const user_id of await queries.accountsToTell(app)) await tellAccount(app, user_id)
}

/** Marks what is told in the transaction that queues the mail: nothing is told twice, and nothing is lost. */
async function tellAccount(app: App, user_id: string): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    await lockByName(tx, `alerts of ${user_id}`)
    const pending = await queries.lockPending(tx, user_id)
    const held = pending.filter(isHeld)
    if (held.length > 0) await queries.putOff(tx, held)
    const notices = noticesOf(pending.filter((one) => !isHeld(one)))
    if (notices.length === 0) return
    const isMany =
      notices.length > 1 && notices.length + (await queries.countNotices(tx, user_id)) >= TOGETHER
    const ids = notices.flatMap((alerts) => alerts.map(({ id }) => id))
    await queries.markNotified(tx, ids)
    if (isMany) return tellTogether(app, tx, user_id, notices)
    for (const alerts of notices) {
      await mailNotice(app, tx, user_id, alerts)
      const { kind, host_id: id, host_name: name, closed_at } = must(alerts.at(-1))
      const is_over = closed_at !== null
      await emit(app, tx, alertNotified, { user_id, host: { id, name }, kind, is_over, count: alerts.length })
    }
  })
}

async function tellTogether(
  app: App,
  tx: Tx,
  user_id: string,
  notices: readonly PendingRow[][],
): Promise<void> {
  await mailTogether(app, tx, user_id, notices)
  const { kind } = must(must(notices[0])[0])
  await emit(app, tx, alertNotified, { user_id, host: null, kind, is_over: false, count: notices.length })
}

/** True for an alert whose rule was told of on this server within the hour: it waits, and then one mail sums up. */
const isHeld = ({ opening_told, told_at }: PendingRow): boolean => !opening_told && told_at !== null

/** One notice for each alert that ends, and one for all that a rule opened on a server. */
function noticesOf(pending: readonly PendingRow[]): PendingRow[][] {
  const ended = pending.filter(({ opening_told }) => opening_told)
  const begun = pending.filter(({ opening_told }) => !opening_told)
  const groups = Map.groupBy(begun, ({ host_id, kind }) => `${host_id} ${kind}`)
  return [...ended.map((alert) => [alert]), ...groups.values()]
}
