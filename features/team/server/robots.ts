import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction, type Origin } from '#foundation/server/audit/audit.ts'
import { lockByName, transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { must } from '#foundation/must.ts'
import { isUuid } from '#foundation/uuid.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import { deactivate, findUsers } from '#foundation/server/session/session.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import * as contract from '#features/team/robot-contract.ts'
import { MOST_ROBOTS, robotRoles } from '#features/team/rules.ts'
import { addRoles, giveRoles } from './give-roles.ts'
import * as queries from './robot-queries.ts'
import { endTokens, tokenReply } from './robot-tokens.ts'

type RobotRole = (typeof robotRoles)[number]
type By = { by: string; origin?: Origin | undefined }

/** Answers `GET /api/staff/robots/`. */
export const list = handler(contract.listRobots, async ({ app }) => {
  return { status: 200, body: { items: await listRobots(app) } }
})

/** The robots of the team, for the command line. */
export const listRobots = async (app: App): Promise<contract.Robot[]> =>
  robotReplies(app, app.db, await queries.robots(app.db))

/** Answers `POST /api/staff/robots/`. */
export const create = handler(contract.createRobot, async ({ app, actor, caller, body }) =>
  transaction(app, 'system', async (tx) => {
    const id = await makeRobot(app, tx, { ...body, by: actor.user_id, origin: originOf(caller) })
    return { status: 201, body: await robotReply(app, tx, id) } as const
  }),
)

/** Makes a robot with roles; `by` is an owner, or the command line. All owners are mailed. Throws 409 `too_many_robots`. */
export async function makeRobot(
  app: App,
  tx: Tx,
  { name, roles, ...who }: By & { name: string; roles: readonly RobotRole[] },
): Promise<string> {
  await lockByName(tx, 'robots')
  if ((await queries.robots(tx)).length >= MOST_ROBOTS)
    throw new HttpError(409, [{ code: 'too_many_robots' }])
  const id = await queries.insertRobot(tx, { name, made_by: isUuid(who.by) ? who.by : null })
  await addRoles(app, tx, { user_id: id, roles, act: 'robot.made', detail: { name }, ...who })
  await publishToStaff(tx, { type: contract.ROBOTS_CHANGED })
  return id
}

/** Answers `PUT /api/staff/robots/{robotId}/roles/`. */
export const changeRoles = handler(
  contract.giveRobotRoles,
  async ({ app, actor, caller, params: { robotId: user_id }, body: { roles, reason } }) =>
    transaction(app, 'system', async (tx) => {
      if (!(await queries.robotById(tx, user_id))) throw notFound()
      await giveRoles(app, tx, { user_id, roles, reason, by: actor.user_id, origin: originOf(caller) })
      await publishToStaff(tx, { type: contract.ROBOTS_CHANGED })
      return { status: 200, body: await robotReply(app, tx, user_id) } as const
    }),
)

/** Answers `DELETE /api/staff/robots/{robotId}/`. */
export const end = handler(contract.endRobot, async ({ app, actor, caller, params, query: { reason } }) => {
  const ended = await endRobot(app, params.robotId, { by: actor.user_id, origin: originOf(caller), reason })
  if (!ended) throw notFound()
  return { status: 204 } as const
})

/** Ends a robot: its roles, tokens and requests go, its tickets go back, its name stays with what it did. False where there is none. */
export async function endRobot(app: App, id: string, who: By & { reason: string }): Promise<boolean> {
  return transaction(app, 'system', async (tx) => {
    if (!(await queries.robotById(tx, id))) return false
    await giveRoles(app, tx, { user_id: id, roles: [], ...who })
    const tokens = await queries.tokensOf(tx, [id])
    await endTokens(app, tx, { ids: tokens.map((token) => token.id), why: 'robot', ...who })
    await deactivate(tx, id)
    await queries.endRobot(tx, id)
    await recordAction(tx, {
      user_id: id,
      act: 'robot.ended',
      ...who.origin,
      detail: { by: who.by, reason: who.reason },
    })
    await publishToStaff(tx, { type: contract.ROBOTS_CHANGED })
    return true
  })
}

const robotReply = async (app: App, tx: Tx, id: string): Promise<contract.Robot> =>
  must((await robotReplies(app, tx, [must(await queries.robotById(tx, id))]))[0])

/** Returns robots with their roles, makers and tokens. */
async function robotReplies(
  app: App,
  db: App['db'],
  rows: readonly queries.RobotRow[],
): Promise<contract.Robot[]> {
  const ids = rows.map(({ id }) => id)
  const tokens = await queries.tokensOf(db, ids)
  const users = await findUsers(db, ids)
  const names = await displayNames(
    app,
    db,
    [...rows, ...tokens].map(({ made_by }) => made_by),
  )
  return rows.map(({ id, name, made_by, created_at }) => ({
    id,
    name,
    roles: robotRoles.filter((role) => users.get(id)?.staff_roles.includes(role)),
    made_by: made_by === null ? null : names.of(made_by),
    created_at: created_at.toISOString(),
    tokens: tokens.filter(({ robot_id }) => robot_id === id).map((token) => tokenReply(token, names)),
  }))
}
