import * as own from '#features/webhooks/contract.ts'
import * as operator from '#features/webhooks/staff-contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'

/** The owner of the webhooks that a page shows: the account, or the operator. */
export type Side = 'own' | 'operator'

const ofAccount = {
  list: own.listEndpoints,
  create: own.createEndpoint,
  get: own.getEndpoint,
  change: own.changeEndpoint,
  remove: own.deleteEndpoint,
  secret: own.replaceSecret,
  attempts: own.listAttempts,
  test: own.testEndpoint,
  again: own.sendEventAgain,
  replay: own.replayEvents,
}
const ofOperator = {
  list: operator.listOperatorEndpoints,
  create: operator.createOperatorEndpoint,
  get: operator.getOperatorEndpoint,
  change: operator.changeOperatorEndpoint,
  remove: operator.deleteOperatorEndpoint,
  secret: operator.replaceOperatorSecret,
  attempts: operator.listOperatorAttempts,
  test: operator.testOperatorEndpoint,
  again: operator.sendOperatorEventAgain,
  replay: operator.replayOperatorEvents,
}

export const callsOf = (side: Side) => (side === 'own' ? ofAccount : ofOperator)

/** Loads anew what the pages of a side show. */
export function refreshWebhooks(side: Side): void {
  const { list, get, attempts } = callsOf(side)
  refreshQueries(list)
  refreshQueries(get)
  refreshQueries(attempts)
}
