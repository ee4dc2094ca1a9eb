import { HOST_CHANGED, HOST_DELETED } from '#features/hosts/contract.ts'
import { listTransfers, TRANSFER_CHANGED } from '#features/hosts/transfer-contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { refreshAlerts } from './alert-hooks.ts'
import { forgetHost, reloadHost } from './hooks.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'

/** The reactions to live events. A change of a host (connected, paid, renamed in another tab …) reloads only the entries of this host. */
export const live: readonly LiveReaction[] = [
  [
    HOST_CHANGED,
    ({ host_id }) => {
      void reloadHost(String(host_id))
      refreshAlerts()
    },
  ],
  [TRANSFER_CHANGED, () => refreshQueries(listTransfers)],
  [
    HOST_DELETED,
    ({ host_id }) => {
      forgetHost(String(host_id))
      refreshAlerts()
    },
  ],
]
