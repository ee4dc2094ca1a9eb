import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { tellAlerts } from './alert-notices.ts'
import { recordAlerts } from './alert-reply.ts'
import * as queries from './alert-watch-queries.ts'
import { publishHostChanged } from './publish.ts'

const AT_ONCE = 500

/** Opens the alerts that are due, and mails what there is to tell (docs/decisions/177). Several processes may do so at once. */
export async function watchAlerts(app: App): Promise<void> {
  const { beats, is_due, is_to_tell } = await queries.workToDo(app)
  if (beats || is_due)
    await transaction(app, 'system', async (tx) => {
      if (await queries.noteWatch(tx)) await queries.comeBack(tx)
    })
  if (is_due) await openAll(app)
  if (is_to_tell) await tellAlerts(app)
}

async function openAll(app: App): Promise<void> {
  let opened: number
  do {
    opened = await transaction(app, 'system', async (tx) => {
      const found = await queries.openOffline(tx, AT_ONCE)
      recordAlerts(tx, found)
      for (const { user_id, host_id } of found) await publishHostChanged(tx, user_id, host_id)
      return found.length
    })
  } while (opened === AT_ONCE)
}

export const forgetOldAlerts = (app: App): Promise<void> => transaction(app, 'system', queries.forgetOld)
