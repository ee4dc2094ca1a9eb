import { REASON_LENGTH } from '#features/customers/rules.ts'
import { assignByCommand, markSpamByCommand } from '#features/support/server/support.ts'
import type { App } from '#foundation/server/app.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { NotFound, Refused, WrongUse } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { withApp } from './with-app.ts'
import { accountNamed } from './with-customer.ts'

const NOTE_LENGTH = 10_000

/** `ticket assign NUMBER MEMBER`. Throws NotFound, Refused and WrongUse. */
export const assignTicket = (
  surroundings: CommandEnvironment,
  [number = '', member = '']: readonly string[],
  options: Options,
): Promise<Answer> => {
  const note = options['note'] === undefined ? undefined : textIn(options['note'], NOTE_LENGTH, '--note')
  return onTicket(surroundings, number, options, async (app, act) => {
    const done = await assignByCommand(app, act, { to: await accountNamed(app, member), note })
    const said = done
      ? `Ticket ${number} is handed over to ${member}.`
      : `${member} has ticket ${number} already.`
    return note === undefined ? said : `${said} The note is written.`
  })
}

/** `ticket spam NUMBER [--undo]`. Throws NotFound and WrongUse. */
export const markSpam = (
  surroundings: CommandEnvironment,
  [number = '']: readonly string[],
  options: Options,
): Promise<Answer> =>
  onTicket(surroundings, number, options, async (app, act) => {
    const spam = options['undo'] !== true
    const done = await markSpamByCommand(app, act, spam)
    if (!done) return spam ? `Ticket ${number} is spam already.` : `Ticket ${number} is no spam.`
    return spam ? `Ticket ${number} is closed as spam.` : `Ticket ${number} is open again.`
  })

async function onTicket(
  surroundings: CommandEnvironment,
  typed: string,
  options: Options,
  work: (app: App, act: { number: number; reason: string }) => Promise<string>,
): Promise<Answer> {
  if (!/^#?\d{1,9}$/.test(typed)) throw new WrongUse(`'${typed}' is no number of a ticket, such as 1042.`)
  const number = Number(typed.replace('#', ''))
  const reason = textIn(options['reason'] ?? 'from the command line', REASON_LENGTH, '--reason')
  return withApp(surroundings, async (app) => {
    const line = await work(app, { number, reason }).catch((error: unknown) => {
      throw error instanceof HttpError ? explained(error, typed) : error
    })
    return { lines: [line], data: { number } }
  })
}

function textIn(given: string | boolean, most: number, option: string): string {
  if (typeof given !== 'string' || given.trim() === '' || given.length > most)
    throw new WrongUse(`${option} takes 1 to ${most} characters.`)
  return given
}

function explained({ errors, status }: HttpError, number: string): Error {
  if (status === 404) return new NotFound(`There is no ticket ${number}.`)
  const sentence = refusals[errors[0]?.code ?? '']
  return new Refused(sentence ?? `Ticket ${number} cannot be changed so.`)
}

const refusals: Readonly<Record<string, string>> = {
  own_ticket: 'The ticket is their own: nobody answers their own ticket.',
  ticket_closed: 'The ticket is closed. Open it first.',
  unknown_staff: 'This account is no member of staff.',
}
