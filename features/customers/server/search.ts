import type { App } from '#foundation/server/app.ts'
import type { MatchKind } from '#features/customers/rules.ts'
import { IBAN_END, readSearch } from '#features/customers/rules.ts'
import { mayDo, type Role } from '#foundation/roles.ts'
import { bankReadPermission } from '#features/finance/contract.ts'
import { ownerOfReference } from '#features/finance/server/finance.ts'
import { findHostByKey, hostsById, ownersByAddress, ownersByHostName } from '#features/hosts/server/hosts.ts'
import { ownerOfNumber, ownersOfPlace } from '#features/invoices/server/invoices.ts'
import {
  accountsByAddress,
  accountsByVatId,
  accountsInStreet,
  countNamesWith,
  findPeople,
} from '#features/profile/server/profile.ts'
import { ownerOfTicket } from '#features/support/tickets/server/tickets.ts'
import { payersByIban } from './queries.ts'

/** The customers that a search found, each with the thing that matched; null if the person matched. */
export type Found = Map<string, { kind: MatchKind; text: string } | null>

/** The most customers that a word finds: enough to show that the search needs a second word. */
const MOST = 1000

/**
 * The words that a list of customers finds itself, in one statement. `spread` is the number of names with these words, as expected
 * from the counts of PostgreSQL. It decides how a page is read: `few` names are read one by one; `many` are read in the list's order
 * until a page is full; for `most`, all customers are read in this order. `rarest` are the parts of the text that the fewest names have.
 */
export type Words = { text: string; rarest: readonly string[]; spread: 'few' | 'many' | 'most' }

/** The most names that are read one by one; a list notices if there are more (list-queries.ts). */
const FEW = 300

const COMMON = 5000

/** Returns the words of a text; undefined if it names one thing (an invoice …). `isDense` is true for a list that shows most customers. */
export async function wordsIn(
  { db }: Pick<App, 'db'>,
  q: string,
  isDense: boolean,
): Promise<Words | undefined> {
  const meant = readSearch(q)
  if (meant.kind !== 'words') return undefined
  const { text } = meant
  const { expected, rarest } = await countNamesWith(db, text)
  return { text, rarest, spread: expected > COMMON && isDense ? 'most' : expected > FEW ? 'many' : 'few' }
}

/**
 * Finds customers by any text that staff have at hand: asks the feature that owns the kind of thing that the text names (rules.ts). A payer's
 * account is found only for `readers` who may read bank statements. A licence key is found whole alone, since nobody of the staff may read it.
 */
export async function searchCustomers(
  { db }: Pick<App, 'db'>,
  q: string,
  readers: readonly Role[] = [],
): Promise<Found> {
  const meant = readSearch(q)
  const payers = async (ending: string): Promise<Owned[]> =>
    mayDo(readers, bankReadPermission) ? payersByIban(db, ending, MOST) : []
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
    case 'key': {
      return things('host', await ownersOfKey(db, meant.text))
    }
    case 'invoice': {
      const user_id = await ownerOfNumber(db, meant.text)
      return things('invoice', user_id === undefined ? [] : [{ user_id, text: meant.text }])
    }
    case 'place': {
      return things('invoice', await ownersOfPlace(db, meant.place, meant.year))
    }
    case 'ticket': {
      return things('ticket', await ownersOfTicket(db, meant.number))
    }
    case 'number': {
      const { number, text } = meant
      const [paid, invoiced, tickets] = await Promise.all([
        text.length >= IBAN_END ? payers(text) : [],
        ownersOfPlace(db, number),
        ownersOfTicket(db, number),
      ])
      return new Map([...things('iban', paid), ...things('invoice', invoiced), ...things('ticket', tickets)])
    }
    case 'transfer': {
      const transfer = await ownerOfReference(db, meant.text)
      return things('transfer', transfer ? [{ ...transfer, text: transfer.reference }] : [])
    }
    case 'iban': {
      return things('iban', await payers(meant.text))
    }
    case 'vat_id': {
      const ids = await accountsByVatId(db, meant.text, MOST)
      return things(
        'vat_id',
        ids.map((user_id) => ({ user_id, text: meant.text })),
      )
    }
    case 'words': {
      const [named, owners, inStreet] = await Promise.all([
        findPeople(db, meant.text, MOST),
        ownersByHostName(db, meant.text, MOST),
        accountsInStreet(db, meant.text, MOST),
      ])
      return new Map([...things('street', inStreet), ...things('host', owners), ...people(named)])
    }
    default: {
      return meant satisfies never
    }
  }
}

type Owned = { user_id: string; text: string }

async function ownersOfTicket(db: App['db'], number: number): Promise<Owned[]> {
  const ticket = await ownerOfTicket(db, number)
  return ticket ? [{ ...ticket, text: `#${number} ${ticket.subject}` }] : []
}

async function ownersOfKey(db: App['db'], key: string): Promise<Owned[]> {
  const host = await findHostByKey(db, key)
  return (await hostsById(db, host ? [host.id] : [])).map(({ user_id, name }) => ({ user_id, text: name }))
}

const people = (ids: readonly string[]): Found => new Map(ids.map((id) => [id, null]))

const things = (kind: MatchKind, owners: readonly Owned[]): Found =>
  new Map(owners.map(({ user_id, text }) => [user_id, { kind, text }]))
