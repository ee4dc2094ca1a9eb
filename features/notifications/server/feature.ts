import { approvalChanged } from '#foundation/server/approvals/events.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { on } from '#foundation/server/events.ts'
import type { Handler } from '#foundation/server/http/handler.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, job, type Job } from '#foundation/server/jobs/jobs.ts'
import { autoTopUpPaused, chargeWaits } from '#features/auto-top-ups/contract.ts'
import { announcementDelivered } from '#features/announcements/contract.ts'
import { topUpRefused } from '#features/finance/contract.ts'
import { alertNotified } from '#features/hosts/contract.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { renewalRefused } from '#features/sales/contract.ts'
import { messageWritten, ticketHandedOver } from '#features/support/tickets/contract.ts'
import * as own from './notifications.ts'
import { PUBLISH_NEWS, publishNews, PUSH, type PushPayload } from './notify.ts'
import * as push from './push.ts'
import { deleteSubscriptionsOf } from './push-queries.ts'
import { sendPush } from './send-push.ts'
import { deleteAllOf, deleteOld } from './queries.ts'
import * as told from './reactions.ts'

export { sealed } from './push-keys.ts'
export { personalData } from './personal-data.ts'

export const routes: readonly Handler[] = [
  own.list,
  own.unread,
  own.read,
  own.getChoices,
  own.changeChoice,
  push.get,
  push.subscribe,
  push.unsubscribe,
]

export const jobs: readonly Job[] = [
  job<{ people: readonly string[] }>(PUBLISH_NEWS, publishNews),
  job<PushPayload>(PUSH, sendPush),
  cronJob(jobKind('forget_notifications', 'rest'), 3600, (app) => transaction(app, 'system', deleteOld)),
] as readonly Job[]

export const reactions = [
  on(messageWritten, told.tellMessage),
  on(ticketHandedOver, told.tellAssigned),
  on(alertNotified, told.tellAlert),
  on(approvalChanged, told.tellApproval),
  on(topUpRefused, told.tellPayment),
  on(chargeWaits, told.tellChargeWaits),
  on(autoTopUpPaused, told.tellPaused),
  on(renewalRefused, told.tellRenewal),
  on(announcementDelivered, told.tellAnnouncement),
  on(userDeactivated, async (_app, tx, { user_id }) => {
    await deleteAllOf(tx, user_id)
    await deleteSubscriptionsOf(tx, user_id)
  }),
]
