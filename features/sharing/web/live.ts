import { listHosts } from '#features/hosts/contract.ts'
import { listAccounts, listGrants, listPeople, SHARING_CHANGED } from '#features/sharing/contract.ts'
import { listTokens } from '#features/sharing/token-contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'

/** A grant was given, accepted, changed or ended, or a helper on a way was blocked: lists of grants, people, accounts and servers may show something else now, or nothing. */
export const live: readonly LiveReaction[] = [
  [
    SHARING_CHANGED,
    () => {
      refreshQueries(listGrants)
      refreshQueries(listTokens)
      refreshQueries(listAccounts)
      refreshQueries(listPeople)
      refreshQueries(listHosts)
    },
  ],
]
