import { mayDo, type Role } from '#foundation/roles.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { actByName } from './approvable-act.ts'
import { expire } from './decide.ts'
import * as queries from './queries.ts'

/** Ends the proposals of a member that need a permission which none of these roles has. */
export async function expireProposalsOf(
  app: App,
  tx: Tx,
  user_id: string,
  held: readonly Role[],
): Promise<void> {
  for (const { id, act } of await queries.proposalsOf(tx, user_id))
    if (!mayDo(held, actByName(app, act).permission)) await expire(app, tx, id)
}

/** Ends each due proposal in a transaction of its own, so that one that is being decided at this moment holds up no other. */
export async function expireDue(app: App): Promise<void> {
  for (const id of await queries.dueApprovals(app.db))
    await transaction(app, 'system', (tx) => expire(app, tx, id))
}

// A proposal past its time can be decided no more, however late this job ends it.
const EVERY_S = 300

export const jobs: readonly Job[] = [cronJob(jobKind('expire_approvals', 'rest'), EVERY_S, expireDue)]
