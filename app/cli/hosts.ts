import { suspensionReasons } from '#features/hosts/rules.ts'
import { NOTE_LENGTH, TEXT_LENGTH } from '#features/licences/rules.ts'
import { resume, suspend } from '#features/licences/server/licences.ts'
import type { App } from '#foundation/server/app.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { NotFound, Refused, WrongUse } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { withApp } from './with-app.ts'

/** `host suspend SERVER`. Throws NotFound, Refused and WrongUse. */
export function suspendHost(
  surroundings: CommandEnvironment,
  [host = '']: readonly string[],
  options: Options,
): Promise<Answer> {
  const wanted = options['cause'] ?? 'other'
  const reason = suspensionReasons.find((known) => known === wanted)
  if (!reason) throw new WrongUse(`--cause is one of ${suspensionReasons.join(', ')}.`)
  const text = textOf(options['message'] ?? '', TEXT_LENGTH, '--message')
  return act(surroundings, host, options, async (app, note) => {
    await suspend(app, {}, host, { reason, text, note })
    return `The server ${host} is suspended. Its agent hears of it with its next check-in.`
  })
}

/** `host resume SERVER`. Throws NotFound, Refused and WrongUse. */
export const resumeHost = (
  surroundings: CommandEnvironment,
  [host = '']: readonly string[],
  options: Options,
) =>
  act(surroundings, host, options, async (app, note) => {
    await resume(app, {}, host, note)
    return `The server ${host} is no longer suspended.`
  })

async function act(
  surroundings: CommandEnvironment,
  host: string,
  options: Options,
  work: (app: App, note: string) => Promise<string>,
): Promise<Answer> {
  const note = textOf(options['reason'] ?? 'from the command line', NOTE_LENGTH, '--reason')
  return await withApp(surroundings, async (app) => {
    try {
      return { lines: [await work(app, note)], data: { host } }
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      throw refusedBy(error, host)
    }
  })
}

function refusedBy(error: HttpError, host: string): Error {
  const [first] = error.errors
  if (first?.code === 'already_suspended') return new Refused(`The server ${host} is already suspended.`)
  if (first?.code === 'not_suspended') return new Refused(`The server ${host} is not suspended.`)
  return new NotFound(`There is no server with the id '${host}'. Nothing was changed.`)
}

function textOf(given: string | boolean, most: number, option: string): string {
  if (typeof given === 'string' && given.length <= most) return given
  throw new WrongUse(`Say ${option} in at most ${most} characters.`)
}
