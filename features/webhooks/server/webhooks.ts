import type { App } from '#foundation/server/app.ts'
import type { Endpoint } from '#features/webhooks/contract.ts'
import { changeEndpoint } from './endpoints.ts'
import { endpointsOf, ownerOfEndpoint, type Owner } from './queries.ts'
import { endpointReplies } from './replies.ts'

export { serveReceiver } from './receiver-page.ts'
export { forgetAnswers } from './attempt-queries.ts'
export { deliverDue } from './deliver.ts'

/** The endpoints of an account, or of the operator. */
export const listWebhooks = async (app: App, owner: Owner): Promise<Endpoint[]> =>
  endpointReplies(app.db, owner, await endpointsOf(app.db, owner))

/** Pauses or enables an endpoint by the command line. Returns undefined where there is none. */
export async function setStateByOperator(
  app: App,
  id: string,
  state: 'enabled' | 'paused',
): Promise<Endpoint | undefined> {
  const found = await ownerOfEndpoint(app.db, id)
  if (!found) return undefined
  const { body } = await changeEndpoint(app, { owner: found.user_id, person: 'command line' }, id, { state })
  return 'present' in body ? body.present : body
}
