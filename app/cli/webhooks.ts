import type { Endpoint } from '#features/webhooks/contract.ts'
import { listWebhooks, setStateByOperator } from '#features/webhooks/server/webhooks.ts'
import { NotFound } from '#foundation/server/operator-errors.ts'
import { isUuid } from '#foundation/uuid.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { withApp } from './with-app.ts'
import { withCustomer } from './with-customer.ts'

/** `webhook list CUSTOMER`, where the word `operator` means the operator. */
export const list = (surroundings: CommandEnvironment, named: readonly string[]): Promise<Answer> =>
  named[0] === 'operator'
    ? withApp(surroundings, async (app) => answerOf(await listWebhooks(app, null)))
    : withCustomer(surroundings, named, {}, async (app, { user_id }) =>
        answerOf(await listWebhooks(app, user_id)),
      )

function answerOf(webhooks: readonly Endpoint[]): Answer {
  const lines = webhooks.map(
    ({ id, state, disabled_why, last_ok_at, waiting, url }) =>
      `${id}  ${state}${disabled_why === null ? '' : ` (${disabled_why})`}  last success ${last_ok_at ?? 'never'}  ${waiting} waiting  ${url}`,
  )
  return { lines: lines.length > 0 ? lines : ['There is no webhook.'], data: { webhooks } }
}

/** `webhook pause ID` and `webhook enable ID`. Throws NotFound where no webhook has this id. */
export const setState = (
  surroundings: CommandEnvironment,
  [id = '']: readonly string[],
  state: 'paused' | 'enabled',
): Promise<Answer> =>
  withApp(surroundings, async (app) => {
    const webhook = isUuid(id) ? await setStateByOperator(app, id, state) : undefined
    if (!webhook) throw new NotFound(`No webhook has the id '${id}'. Run: webhook list CUSTOMER`)
    return { lines: [`Webhook ${id} is ${state}.`], data: { webhook } }
  })
