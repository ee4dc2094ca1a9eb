import type { Handler } from '#foundation/server/http/handler.ts'
import * as events from '#features/hosts/event-contract.ts'
import { HOST_CHANGED } from '#features/hosts/contract.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { job, cronJob, poller, type Job } from '#foundation/server/jobs/jobs.ts'
import { publishing } from '#foundation/server/realtime/publishing-job.ts'
import { on } from '#foundation/server/events.ts'
import { everyItem } from '#foundation/server/paging/paging.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import type { OwnedThing } from '#foundation/server/acting.ts'
import { forgetOldAlerts, watchAlerts } from './alert-watch.ts'
import * as alerts from './alerts.ts'
import { eraseSettings } from './alert-queries.ts'
import * as agents from './agents.ts'
import { detectOfflineHosts } from './agents.ts'
import * as hosts from './hosts.ts'
import { ANNOUNCE_HOST, FORGET_METRICS, deleteHostsOf } from './hosts.ts'
import { list, pageOfHosts } from './list.ts'
import { renewKey, renewKeys, endFormerKeys } from './keys.ts'
import { foldFigures } from './figures.ts'
import { getMetrics, forgetMetrics, thinMetrics } from './metrics.ts'
import { accept, decline } from './transfer-answers.ts'
import { changeHostAddresses, resetAddressChanges, ownedHost } from './staff.ts'
import { offerForOwner } from './staff-transfer.ts'
import * as transfers from './transfers.ts'
import { EXPIRE_TRANSFER, expireTransfer, sweepTransfers, endOffersTo, transfersFile } from './transfers.ts'
import { hostAudience } from './publish.ts'

export const routes: readonly Handler[] = [
  list,
  hosts.create,
  hosts.get,
  hosts.update,
  hosts.remove,
  agents.makeToken,
  renewKey,
  renewKeys,
  changeHostAddresses,
  resetAddressChanges,
  offerForOwner,
  getMetrics,
  alerts.list,
  alerts.getSettings,
  alerts.updateSettings,
  alerts.getOfHost,
  alerts.updateOfHost,
  transfers.list,
  transfers.offer,
  transfers.withdraw,
  accept,
  decline,
]

export const jobs: readonly Job[] = [
  publishing(ANNOUNCE_HOST, ({ user_id, host_id }: { user_id: string; host_id: string }) => ({
    user_id,
    event: { type: HOST_CHANGED, host_id },
    audience: hostAudience(host_id),
  })),
  job(FORGET_METRICS, forgetMetrics),
  job(EXPIRE_TRANSFER, expireTransfer),
  cronJob(jobKind('sweep_host_transfers', 'rest'), 60, sweepTransfers),
  cronJob(jobKind('end_former_keys', 'rest'), 60, endFormerKeys),
  cronJob(jobKind('thin_host_metrics', 'rest'), 300, thinMetrics),
  cronJob(jobKind('fold_host_figures', 'rest'), 300, foldFigures),
  // A page must show a silent host within two seconds: this interval takes one of them, the delivery the other.
  poller('look_for_silent_hosts', 1000, detectOfflineHosts),
  poller('watch_alerts', 1000, watchAlerts),
  cronJob(jobKind('forget_old_alerts', 'rest'), 86_400, forgetOldAlerts),
]

export const published = Object.values(events)

/** The hosts of a deleted account are deleted with it, their tokens and their metrics too. */
export const reactions = [
  on(userDeactivated, async (app, tx, { user_id }) => {
    await deleteHostsOf(app, tx, user_id)
    await endOffersTo(app, tx, user_id)
    await eraseSettings(tx, user_id)
  }),
]

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'servers.json': () =>
    everyItem((cursor) => pageOfHosts(app.db, user_id, { sort: 'created_at', limit: 100, cursor })),
  'transfers.json': () => transfersFile(app, user_id),
  'alerts.json': () => alerts.alertsFile(app, user_id),
})

/** No member of staff acts on a thing of their own. */
export const ownedThings: readonly OwnedThing[] = [ownedHost]
