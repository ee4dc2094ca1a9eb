import { addressText, isIpv4, suspensionReasons } from '#features/hosts/rules.ts'
import { allowMoves, moveHost, offerByStaff } from '#features/hosts/server/hosts.ts'
import { canonicalEmail } from '#foundation/email-address.ts'
import { NOTE_LENGTH, TEXT_LENGTH } from '#features/licences/rules.ts'
import { allowReleases, resume, suspend } from '#features/licences/server/licences.ts'
import { canonicalIpv6 } from '#foundation/ipv6.ts'
import type { App } from '#foundation/server/app.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { NotFound, Refused, WrongUse } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { withApp } from './with-app.ts'

/** `host transfer SERVER ADDRESS`. Throws NotFound, Refused and WrongUse. */
export function transferHost(
  surroundings: CommandEnvironment,
  [host = '', address = '']: readonly string[],
  options: Options,
): Promise<Answer> {
  const email = canonicalEmail(address.trim())
  if (email === undefined) throw new WrongUse(`'${address}' is no email address. Nothing was changed.`)
  return act(surroundings, host, options, async (app, note) => {
    const { expires_at } = await offerByStaff(app, {}, host, { email, note })
    return `The server ${host} is offered to ${email} until ${expires_at.toISOString()}.`
  })
}

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

/** `host address SERVER`. Throws NotFound, Refused and WrongUse. */
export function addressHost(
  surroundings: CommandEnvironment,
  [host = '']: readonly string[],
  options: Options,
): Promise<Answer> {
  const wanted = {
    ipv4: addressOf(options['ipv4'], canonicalIpv4),
    ipv6: addressOf(options['ipv6'], canonicalIpv6),
  }
  if (wanted.ipv4 === undefined && wanted.ipv6 === undefined)
    throw new WrongUse('Name --ipv4, --ipv6 or both.')
  return act(surroundings, host, options, async (app, note) => {
    const { ipv4, ipv6 } = await moveHost(app, {}, host, { addresses: wanted, note })
    return `The server ${host} has the addresses ${addressText({ ipv4, ipv6 }) || '(none)'}.`
  })
}

const canonicalIpv4 = (text: string): string | null => (isIpv4(text) ? text : null)

/** Returns the address; null for the word `none`, undefined for an option that is not given. Throws WrongUse for what is no address. */
function addressOf(
  given: string | boolean | undefined,
  canonical: (text: string) => string | null | undefined,
): string | null | undefined {
  if (given === undefined) return undefined
  if (given === 'none') return null
  const address = canonical(String(given))
  if (!address) throw new WrongUse(`'${String(given)}' is no address. Nothing was changed.`)
  return address
}

/** `host allow SERVER`. Throws NotFound and WrongUse. */
export const allowHost = (
  surroundings: CommandEnvironment,
  [host = '']: readonly string[],
  options: Options,
) =>
  act(surroundings, host, options, async (app, note) => {
    await allowMoves(app, {}, host, note)
    await allowReleases(app, {}, host, note)
    return `The owner of the server ${host} may change its addresses and release its machines again.`
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
  if (first && first.code in REFUSED) return new Refused(`${REFUSED[first.code] ?? ''} Nothing was changed.`)
  if (error.status !== 404)
    return new Refused(`${error.errors.map(({ code }) => code).join(', ')}: nothing was changed.`)
  return new NotFound(`There is no server with the id '${host}'. Nothing was changed.`)
}

const REFUSED: Readonly<Record<string, string>> = {
  not_for_programs: 'A program has no addresses.',
  own_address: 'This address belongs to the owner of the server.',
  host_suspended: 'A suspended server stays with its owner.',
  balance_below_zero: 'The owner of the server is in debt.',
  transfer_open: 'The server is offered already.',
  address_required: 'A server with a paid licence keeps one address.',
  ipv4_licensed: 'Another paid licence has this IPv4.',
  ipv6_licensed: 'Another paid licence has this IPv6.',
  trial_used: 'This address was used for a trial already.',
}

function textOf(given: string | boolean, most: number, option: string): string {
  if (typeof given === 'string' && given.length <= most) return given
  throw new WrongUse(`Say ${option} in at most ${most} characters.`)
}
