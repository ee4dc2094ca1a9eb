import { readSearch } from '#features/customers/rules.ts'
import { auditTail, type AuditLine } from '#features/operations/server/operations.ts'
import { WrongUse } from '#foundation/server/operator-errors.ts'
import { printed, type Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { withApp } from './with-app.ts'

/** `audit tail [-f]`. With `-f` it goes on printing until it is stopped. Throws WrongUse if the customer is not named by an id. */
export const tail = (surroundings: CommandEnvironment, { follow, act, customer }: Options) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    if (customer !== undefined && readSearch(String(customer)).kind !== 'account')
      throw new WrongUse(`'${String(customer)}' is no id of an account.`)
    const filter = {
      ...(typeof act === 'string' ? { act } : {}),
      ...(typeof customer === 'string' ? { people: [customer] } : {}),
    }
    const pages = auditTail(app, filter, { follow: follow === true })
    if (follow !== true) {
      const { value = [] } = await pages.next()
      return { lines: value.length > 0 ? value.map(lineOf) : ['Nothing fits.'], data: { entries: value } }
    }
    const asJson = process.argv.includes('--json')
    for await (const entries of pages)
      for (const entry of entries)
        process.stdout.write(printed({ lines: [lineOf(entry)], data: { ...entry } }, asJson))
    return { lines: [], data: {} }
  })

const lineOf = ({ at, act, by, account, ip }: AuditLine): string =>
  [
    at,
    act,
    by,
    ...(account === null ? [] : [`about ${account}`]),
    ...(ip === null ? [] : [`from ${ip}`]),
  ].join('  ')
