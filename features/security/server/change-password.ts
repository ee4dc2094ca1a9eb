import * as z from 'zod/mini'
import { must } from '#foundation/must.ts'
import { password } from '#foundation/fields.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { isErrorCode } from '#foundation/server/http/english-text.ts'
import { HttpError, badRequest, type FieldError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import {
  authenticatedReply,
  reauthenticationReply,
  unauthenticatedReply,
} from '#foundation/server/session/envelope.ts'
import {
  endSessionsOf,
  isRecent,
  lockUser,
  rotateSession,
  type Actor,
} from '#foundation/server/session/session.ts'
import * as contract from '#features/security/contract.ts'
import { personalData } from '#features/profile/server/profile.ts'
import { passwordChanged, notice } from './mails.ts'
import * as queries from './queries.ts'
import { checkPassword, hashPassword, judgePassword, passwordText, setPassword } from './security.ts'

/**
 * Changes the password (rows A-08, V-02). Both fields are checked at once. This session continues with new
 * tokens, all others end: an intruder with the old password is signed out.
 */
export const changePassword = handler(contract.changePassword, async ({ app, caller, actor, body }) => {
  const before = await queries.passwordSetAt(app.db, actor.user_id)
  // A first password would be a proof that the session alone obtains: the account's factor is asked for.
  const isUnproven = before === undefined && !isRecent(app, actor)
  const current = await judgeCurrent(app, actor, before !== undefined, body.current_password)
  const next = await judgeNext(app, actor, body.new_password)
  const same =
    [current.value, next.value].every((value) => value !== undefined) &&
    passwordText(current.value ?? '') === passwordText(next.value ?? '')
  const refusals = [...current.refusals, ...next.refusals, ...(same ? [sameAsCurrent] : [])]
  if (refusals.length > 0) throw new HttpError(400, refusals)
  if (isUnproven) return { status: 401, body: reauthenticationReply(actor) }
  const hash = await hashPassword(must(next.value))
  const { user_id, session_id } = actor
  return transaction(app, { userId: user_id }, async (tx) => {
    await lockUser(tx, user_id)
    // The second of two changes at once would overwrite a password that its caller never knew.
    if ((await queries.passwordSetAt(tx, user_id)) !== before) {
      throw badRequest('enter_current_password', 'current_password')
    }
    const issued = await rotateSession(app, tx, actor)
    if (!issued) return { status: 401, body: unauthenticatedReply(app) }
    await setPassword(app, tx, user_id, hash)
    await endSessionsOf(tx, user_id, session_id)
    await notice(app, tx, caller, actor, { act: 'password.changed', letter: passwordChanged })
    return { status: 200, body: authenticatedReply({ ...actor, has_password: true }, issued) }
  })
})

const sameAsCurrent: FieldError = { code: 'same_as_current', param: 'new_password' }

type Judged = { value?: string; refusals: FieldError[] }

/** The current password, if it is right. An account without one need not name it. */
async function judgeCurrent(
  app: App,
  actor: Actor,
  needed: boolean,
  sent: string | null | undefined,
): Promise<Judged> {
  if (!needed) return { refusals: [] }
  const param = 'current_password'
  const { value, refusals } = readPassword(sent, param)
  if (value === undefined) return { refusals }
  const right = await checkPassword(app, actor.user_id, value)
  return right ? { value, refusals } : { refusals: [{ code: 'enter_current_password', param }] }
}

async function judgeNext(app: App, actor: Actor, sent: string | null | undefined): Promise<Judged> {
  const param = 'new_password'
  const { value, refusals } = readPassword(sent, param)
  if (value === undefined) return { refusals }
  const faults = judgePassword(value, await personalData(app.db, actor.user_id), app.config.operator.name)
  return { value, refusals: faults.map((code) => ({ code, param })) }
}

function readPassword(sent: string | null | undefined, param: string): Judged {
  const result = z.safeParse(password(), sent)
  if (result.success) return { value: result.data, refusals: [] }
  const [fault] = result.error.issues
  return { refusals: [{ code: fault && isErrorCode(fault.message) ? fault.message : 'invalid', param }] }
}
