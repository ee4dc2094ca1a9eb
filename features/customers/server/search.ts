import type { App } from '#foundation/server/app.ts'
import type { MatchKind } from '#features/customers/rules.ts'
import { readSearch } from '#features/customers/rules.ts'
import { ownerOfReference } from '#features/finance/server/finance.ts'
import { ownersByAddress, ownersByHostName } from '#features/hosts/server/hosts.ts'
import { ownerOfNumber } from '#features/invoices/server/invoices.ts'
import {
  accountsByAddress,
  findPeople,
  findPeopleButByName,
  isInMoreNames,
} from '#features/profile/server/profile.ts'
import { ownerOfTicket } from '#features/support/tickets/server/tickets.ts'

/** The customers that a search means, each with the thing it found them by; null where that is the person. */
export type Found = Map<string, { kind: MatchKind; text: string } | null>

/** A word that more have finds so many of them: enough to see that it needs a second word. */
const MOST = 1000

/** A list that is read in its order until a page is full reads few customers more than it shows where so many have what it looks for. */
const COMMON = 5000

/** The words of a search that so many customers must be expected to have in their name that the list looks for them itself. */
export async function commonName({ db }: Pick<App, 'db'>, q: string): Promise<string | undefined> {
  const { kind, text } = { text: '', ...readSearch(q) }
  return kind === 'words' && (await isInMoreNames(db, text, COMMON)) ? text : undefined
}

/**
 * One question to one owner for each kind of text (rules.ts): whatever staff have at hand finds the customer. `names` are not looked at
 * for a list that does so itself.
 */
export async function searchCustomers(
  { db }: Pick<App, 'db'>,
  q: string,
  { names }: { names: boolean } = { names: true },
): Promise<Found> {
  const meant = readSearch(q)
  switch (meant.kind) {
    case 'account': {
      return people([meant.text])
    }
    case 'email': {
      return people(await accountsByAddress(db, meant.text, MOST))
    }
    case 'address': {
      return things('host', await ownersByAddress(db, meant.text, MOST))
    }
    case 'invoice': {
      const user_id = await ownerOfNumber(db, meant.text)
      return things('invoice', user_id === undefined ? [] : [{ user_id, text: meant.text }])
    }
    case 'ticket': {
      const ticket = await ownerOfTicket(db, meant.number)
      return things('ticket', ticket ? [{ ...ticket, text: `#${meant.number} ${ticket.subject}` }] : [])
    }
    case 'transfer': {
      const transfer = await ownerOfReference(db, meant.text)
      return things('transfer', transfer ? [{ ...transfer, text: transfer.reference }] : [])
    }
    case 'words': {
      const [named, owners] = await Promise.all([
        names ? findPeople(db, meant.text, MOST) : findPeopleButByName(db, meant.text, MOST),
        ownersByHostName(db, meant.text, MOST),
      ])
      return new Map([...things('host', owners), ...people(named)])
    }
    default: {
      return meant satisfies never
    }
  }
}

const people = (ids: readonly string[]): Found => new Map(ids.map((id) => [id, null]))

const things = (kind: MatchKind, owners: readonly { user_id: string; text: string }[]): Found =>
  new Map(owners.map(({ user_id, text }) => [user_id, { kind, text }]))
