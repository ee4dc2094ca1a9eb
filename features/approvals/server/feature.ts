import type { Handler } from '#foundation/server/http/handler.ts'
import { approvalById } from '#foundation/server/approvals/queries.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { job, type Job, enqueue } from '#foundation/server/jobs/jobs.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import { APPROVAL_CHANGED } from '#features/approvals/contract.ts'
import { approvalChanged, doneAlone } from '#foundation/server/approvals/events.ts'
import { expireProposalsOf } from '#foundation/server/approvals/jobs.ts'
import { on } from '#foundation/server/events.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { decide, list, withdraw } from './approvals.ts'
import { approvalRequested } from '#features/approvals/event-contract.ts'
import { mailWaiting, mailAlone, mailDecided } from './mails.ts'
import { recordRequest } from './record-events.ts'

export const routes: readonly Handler[] = [list, decide, withdraw]

export const PUBLISH_APPROVAL = jobKind('publish_approval', 'rest')
export const REMIND_OF_APPROVAL = jobKind('remind_of_approval', 'rest')

type Payload = { approval_id: string }

export const jobs: readonly Job[] = [
  job<Payload>(PUBLISH_APPROVAL, (app, { approval_id }) =>
    transaction(app, 'system', (tx) => publishToStaff(tx, { type: APPROVAL_CHANGED, approval_id })),
  ),
  job<Payload>(REMIND_OF_APPROVAL, (app, { approval_id }) =>
    transaction(app, 'system', async (tx) => {
      const approval = await approvalById(tx, approval_id)
      if (approval?.status === 'proposed') await mailWaiting(app, tx, approval)
    }),
  ),
] as readonly Job[]

/** The time before a mail asks for a decision: a colleague who has the page open often decides sooner. */
const MAILED_AFTER_S = 300

export const published = [approvalRequested]

export const reactions = [
  on(approvalChanged, async (app, tx, approval) => {
    const { id: approval_id } = approval
    // A job publishes the event: an approval may move money in this transaction, and a NOTIFY in it would make commits wait for each other.
    enqueue(tx, PUBLISH_APPROVAL, { approval_id }, { key: `approval:${approval_id}` })
    if (approval.status === 'proposed') recordRequest(app, tx, approval)
    if (approval.status === 'proposed')
      enqueue(tx, REMIND_OF_APPROVAL, { approval_id }, { after_s: MAILED_AFTER_S })
    else if (approval.status !== 'withdrawn') await mailDecided(app, tx, approval)
  }),
  on(doneAlone, mailAlone),
  on(userDeactivated, (app, tx, { user_id }) => expireProposalsOf(app, tx, user_id, [])),
]
