import { HOST_CHANGED } from '#features/hosts/contract.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { job, cronJob, poller, type Job } from '#foundation/server/jobs/jobs.ts'
import { publishing } from '#foundation/server/realtime/publishing-job.ts'
import { detectOfflineHosts } from './agents.ts'
import { ANNOUNCE_HOST, FORGET_METRICS } from './hosts.ts'
import { EXPIRE_TRANSFER, expireTransfer, sweepTransfers } from './transfers.ts'
import { endFormerKeys } from './keys.ts'
import { forgetMetrics, thinMetrics } from './metrics.ts'
import { hostAudience } from './publish.ts'

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
  // A page must show a silent host within two seconds: this interval takes one of them, the delivery the other.
  poller('look_for_silent_hosts', 1000, detectOfflineHosts),
]
