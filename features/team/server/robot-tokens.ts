import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction, type Origin } from '#foundation/server/audit/audit.ts'
import { lockByName, transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { hashToken } from '#foundation/server/keys.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import { isUuid } from '#foundation/uuid.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { TOKEN_WARNINGS_DAYS } from '#features/sharing/rules.ts'
import { hintOf, isSecret, newSecret } from '#features/sharing/server/sharing.ts'
import * as contract from '#features/team/robot-contract.ts'
import { MOST_ROBOT_TOKENS } from '#features/team/rules.ts'
import { mailOwners, robotToken } from './robot-mails.ts'
import * as queries from './robot-queries.ts'

type By = { by: string; origin?: Origin | undefined }

/** Finds the robot of a secret, afresh for each request. A mistyped secret costs no query. */
export const findRobot: NonNullable<App['findRobot']> = async (app, secret, ip) => {
  if (!isSecret(secret)) return undefined
  const token = await queries.tokenOf(app.db, hashToken(secret))
  const robot = token && (await findUser(app.db, token.robot_id))
  if (!robot?.is_active || !robot.is_staff) return undefined
  if (token?.is_stale) await transaction(app, 'system', (tx) => queries.noteUse(tx, token.id, ip))
  const { id: user_id, email, locale, staff_roles } = robot
  return { user_id, email, locale, staff_roles }
}

/** Answers `GET /api/staff/robots/{robotId}/tokens/`. */
export const list = handler(contract.listRobotTokens, async ({ app, params: { robotId } }) => {
  if (!(await queries.robotById(app.db, robotId))) throw notFound()
  const rows = await queries.tokensOf(app.db, [robotId])
  const names = await displayNames(
    app,
    app.db,
    rows.map(({ made_by }) => made_by),
  )
  return { status: 200, body: { items: rows.map((row) => tokenReply(row, names)) } }
})

/** Answers `POST /api/staff/robots/{robotId}/tokens/`. */
export const create = handler(contract.createRobotToken, async ({ app, actor, caller, params, body }) => {
  const { name, ends } = body
  const wanted = { robot_id: params.robotId, name, days: Number.parseInt(ends, 10) }
  return transaction(app, 'system', async (tx) => {
    const { secret, token } = await makeToken(app, tx, {
      ...wanted,
      by: actor.user_id,
      origin: originOf(caller),
    })
    const names = await displayNames(app, tx, [token.made_by])
    return { status: 201, body: { ...tokenReply(token, names), secret } } as const
  })
})

/**
 * Makes a token of a robot; `by` is an owner, or the command line. All owners are mailed. Throws 404 where there is no such robot, and 409
 * `too_many_tokens`.
 */
export async function makeToken(
  app: App,
  tx: Tx,
  { robot_id, name, days, by, origin }: By & { robot_id: string; name: string; days: number },
): Promise<{ secret: string; token: queries.TokenRow }> {
  await lockByName(tx, 'robots')
  const robot = await queries.robotById(tx, robot_id)
  if (!robot) throw notFound()
  if ((await queries.tokensOf(tx, [robot_id])).length >= MOST_ROBOT_TOKENS)
    throw new HttpError(409, [{ code: 'too_many_tokens' }])
  const secret = newSecret()
  const made = { robot_id, name, days, token_hash: hashToken(secret), hint: hintOf(secret) }
  const token = await queries.insertToken(tx, { ...made, made_by: isUuid(by) ? by : null })
  const detail = { by, token_id: token.id, name }
  await recordAction(tx, { user_id: robot_id, act: 'robot.token_made', ...origin, detail })
  await mailOwners(app, tx, robotToken, { robot: robot.name, name, what: 'made', time: token.expires_at })
  await publishToStaff(tx, { type: contract.ROBOTS_CHANGED })
  return { secret, token }
}

/** Answers `DELETE /api/staff/robots/{robotId}/tokens/{tokenId}/`. */
export const end = handler(contract.endRobotToken, async ({ app, actor, caller, params }) => {
  await transaction(app, 'system', async (tx) => {
    const tokens = await queries.tokensOf(tx, [params.robotId])
    const ids = tokens.map(({ id }) => id).filter((id) => id === params.tokenId)
    const who = { by: actor.user_id, origin: originOf(caller) }
    if ((await endTokens(app, tx, { ids, why: 'owner', ...who })) === 0) throw notFound()
  })
  return { status: 204 } as const
})

type Ending = By & { ids: readonly string[]; why: queries.EndedWhy }

/** Ends tokens at once. The owners are mailed where none of them does it. Returns how many had not ended. */
export async function endTokens(app: App, tx: Tx, { ids, why, by, origin }: Ending): Promise<number> {
  const ended = await queries.endTokens(tx, ids, why)
  const names = await displayNames(
    app,
    tx,
    ended.map(({ robot_id }) => robot_id),
  )
  for (const { id, robot_id, name, expires_at: time } of ended) {
    const detail = { by, token_id: id, name, why }
    await recordAction(tx, { user_id: robot_id, act: 'robot.token_ended', ...origin, detail })
    const { name: robot } = names.of(robot_id)
    if (why === 'leak' || why === 'expired')
      await mailOwners(app, tx, robotToken, { robot, name, what: why, time })
  }
  if (ended.length > 0) await publishToStaff(tx, { type: contract.ROBOTS_CHANGED })
  return ended.length
}

/** Ends the token with this hash, if a robot has it: somebody found its secret. */
export async function endLeaked(app: App, tx: Tx, token_hash: Buffer, origin: Origin): Promise<void> {
  const found = await queries.tokenOf(tx, token_hash)
  if (found) await endTokens(app, tx, { ids: [found.id], why: 'leak', by: 'system', origin })
}

/** Ends the tokens that are past their end, and warns the owners of those that will be. Their calls are refused from the end on. */
export async function endTokensInTime(app: App): Promise<void> {
  const ids = await queries.tokensPastEnd(app.db)
  await transaction(app, 'system', (tx) => endTokens(app, tx, { ids, why: 'expired', by: 'system' }))
  await transaction(app, 'system', async (tx) => {
    for (const days of TOKEN_WARNINGS_DAYS)
      for (const { robot_id, name, expires_at: time } of await queries.takeWarned(tx, days)) {
        const { name: robot } = (await displayNames(app, tx, [robot_id])).of(robot_id)
        await mailOwners(app, tx, robotToken, { robot, name, what: 'soon', time })
      }
  })
}

export const tokenReply = (
  row: queries.TokenRow,
  names: Awaited<ReturnType<typeof displayNames>>,
): contract.RobotToken => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  made_by: row.made_by === null ? null : names.of(row.made_by),
  created_at: row.created_at.toISOString(),
  ends_at: row.expires_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  last_used_ip: row.last_used_ip,
})
