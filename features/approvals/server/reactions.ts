import { approvalChanged, doneAlone } from '#foundation/server/approvals/events.ts'
import { expireProposalsOf } from '#foundation/server/approvals/jobs.ts'
import { on } from '#foundation/server/events.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { PUBLISH_APPROVAL, REMIND_OF_APPROVAL } from './jobs.ts'
import { mailAlone, mailDecided } from './mails.ts'

/** The time before a mail asks for a decision: a colleague who has the page open often decides sooner. */
const MAILED_AFTER_S = 300

export const reactions = [
  on(approvalChanged, async (app, tx, approval) => {
    const { id: approval_id } = approval
    // A job publishes the event: an approval may move money in this transaction, and a NOTIFY in it would make commits wait for each other.
    await enqueue(tx, PUBLISH_APPROVAL, { approval_id }, { key: `approval:${approval_id}` })
    if (approval.status === 'proposed')
      await enqueue(tx, REMIND_OF_APPROVAL, { approval_id }, { after_s: MAILED_AFTER_S })
    else if (approval.status !== 'withdrawn') await mailDecided(app, tx, approval)
  }),
  on(doneAlone, mailAlone),
  on(userDeactivated, (app, tx, { user_id }) => expireProposalsOf(app, tx, user_id, [])),
]
