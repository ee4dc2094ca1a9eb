import { approvalById } from '#foundation/server/approvals/queries.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { job, type Job } from '#foundation/server/jobs/jobs.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import { APPROVAL_CHANGED } from '#features/approvals/contract.ts'
import { mailWaiting } from './mails.ts'

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
