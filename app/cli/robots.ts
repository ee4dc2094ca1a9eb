import { TOKEN_DAYS } from '#features/sharing/rules.ts'
import { robotRoles } from '#features/team/rules.ts'
import { endRobot, listRobots, makeRobot, makeToken } from '#features/team/server/team.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { NotFound, Refused, WrongUse } from '#foundation/server/operator-errors.ts'
import { isUuid } from '#foundation/uuid.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { reasonIn } from './reason.ts'
import { readRoles } from './roles.ts'
import { withApp } from './with-app.ts'

const BY = 'command line'

/** `robot list`. */
export const list = (surroundings: CommandEnvironment): Promise<Answer> =>
  withApp(surroundings, async (app) => {
    const robots = await listRobots(app)
    const lines = robots.flatMap(({ id, name, roles, tokens }) => [
      `${id}  ${roles.join(', ')}  ${name}`,
      ...tokens.map(
        (token) =>
          `  ${token.hint}  used ${token.last_used_at ?? 'never'}  ends ${token.ends_at}  ${token.name}`,
      ),
    ])
    return { lines: lines.length > 0 ? lines : ['The team has no robot.'], data: { robots } }
  })

/** `robot create NAME --role ROLES`. Throws WrongUse for a role that a robot cannot have. */
export async function create(
  surroundings: CommandEnvironment,
  [given = '']: readonly string[],
  { role }: Options,
): Promise<Answer> {
  const name = nameOf(given)
  const wanted = readRoles(typeof role === 'string' ? role : 'support')
  const roles = robotRoles.filter((one) => wanted.includes(one))
  if (wanted.includes('owner')) throw new WrongUse('A robot is no owner: what only owners do, people do.')
  return withApp(surroundings, async (app) => {
    const id = await transaction(app, 'system', (tx) => makeRobot(app, tx, { name, roles, by: BY })).catch(
      explain,
    )
    return {
      lines: [`The robot ${name} is ${roles.join(', ')}: ${id}`, `It acts by a token: robot token ${id}`],
      data: { id, name, roles },
    }
  })
}

/** `robot token ID --name NAME --days DAYS`. The secret is printed this once. */
export async function token(
  surroundings: CommandEnvironment,
  [id = '']: readonly string[],
  { name = BY, days = '90' }: Options,
): Promise<Answer> {
  const ends = TOKEN_DAYS.find((one) => one === days)
  if (!ends) throw new WrongUse(`--days is one of ${TOKEN_DAYS.join(', ')}.`)
  const wanted = { robot_id: known(id), name: nameOf(String(name)), days: Number.parseInt(ends, 10), by: BY }
  return withApp(surroundings, async (app) => {
    const made = await transaction(app, 'system', (tx) => makeToken(app, tx, wanted)).catch(explain)
    const ends_at = made.token.expires_at.toISOString()
    return {
      lines: [made.secret, `It ends on ${ends_at}, and is shown this once.`],
      data: { id: made.token.id, secret: made.secret, ends_at },
    }
  })
}

/** `robot end ID --reason TEXT`. Throws NotFound where no robot has this id. */
export async function end(
  surroundings: CommandEnvironment,
  [id = '']: readonly string[],
  options: Options,
): Promise<Answer> {
  const reason = reasonIn(options)
  return withApp(surroundings, async (app) => {
    if (!(await endRobot(app, known(id), { by: BY, reason }))) throw noRobot(id)
    return { lines: [`The robot ${id} has ended, with its tokens.`], data: { id } }
  })
}

function nameOf(given: string): string {
  const name = given.trim()
  if (name === '' || name.length > 100) throw new WrongUse('A name has 1 to 100 characters.')
  return name
}

const noRobot = (id: string) => new NotFound(`No robot has the id '${id}'. Run: robot list`)

function known(id: string): string {
  if (!isUuid(id)) throw noRobot(id)
  return id
}

function explain(error: unknown): never {
  if (!(error instanceof HttpError)) throw error
  if (error.status === 404) throw new NotFound('No robot has this id. Run: robot list')
  throw new Refused('There are too many already. End one first.')
}
