import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { lockByName, transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { PROPOSALS_CHANGED } from '#features/assistants/contract.ts'
import { MOST_WAITING } from '#features/assistants/rules.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { proposed } from './mails.ts'
import * as queries from './queries.ts'

/**
 * Lets a call of an account wait until its owner confirms it; nothing of the call is done. The same call that waits already is not written
 * twice. The owner is mailed of the first within ten minutes. Throws 429 where too many wait.
 */
export const propose: NonNullable<App['propose']> = async (app, { contract, program, owner_id, request }) => {
  // A robot has no account, and staff confirm what it asks for.
  if (!program || owner_id === undefined) throw new HttpError(403, [{ code: 'not_allowed_for_role' }])
  const wanted = { owner_id, token_id: program.id, tool: contract.id, path: withoutAccount(request.url) }
  return transaction(app, { userId: owner_id }, async (tx) => {
    await lockByName(tx, `proposals of ${owner_id}`)
    const { waiting, fresh } = await queries.countWaiting(tx, owner_id)
    if (waiting >= MOST_WAITING) throw new HttpError(429, [{ code: 'too_many_requests' }], 3600)
    const row = await queries.insertProposal(tx, { ...wanted, input: request.body ?? null })
    if (!row) return { waits: 'already' }
    const { id, tool, expires_at } = row
    const detail = { by: program.id, proposal_id: id, tool }
    await recordAction(tx, { user_id: owner_id, act: 'assistant.proposed', detail })
    if (fresh === 0) {
      const { name } = (await displayNames(app, tx, [program.id])).of(program.id)
      await mailTo(app, tx, owner_id, proposed, { name, tool, expires_at })
    }
    await publish(tx, owner_id, { type: PROPOSALS_CHANGED })
    return { waits: 'for the owner of the account', proposal_id: id, expires_at: expires_at.toISOString() }
  })
}

/** Returns the address of a call without `for`: its owner makes it for themselves. */
function withoutAccount(url: string): string {
  const [path = '', query] = url.split('?')
  const rest = new URLSearchParams(query)
  rest.delete('for')
  return rest.size > 0 ? `${path}?${rest.toString()}` : path
}
