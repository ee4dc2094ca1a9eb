import { setImmediate } from 'node:timers/promises'
import { MOST_LINES, MOST_ODD } from '#features/banking/rules.ts'
import { readEntry, type EntryLine } from './camt-entry.ts'
import { pageOf, reasonAgainst, statementOf, titleOf, type Own } from './camt-statement.ts'
import {
  emptyDelivery,
  StatementError,
  unreadable,
  type Delivery,
  type OddPart,
  type StatementKind,
} from './statement.ts'
import { readXml, XmlError, type Element } from './xml-tree.ts'

/** The elements that hold entries: the statement of booked payments, the report within the day, and the notice of single payments. */
const CONTAINERS: Readonly<Record<string, StatementKind>> = {
  Stmt: 'camt.053',
  Rpt: 'camt.052',
  Ntfctn: 'camt.054',
}

/** The entries of one statement, as read so far. `moved` is the sum of the odd ones; null if an amount is not known. */
type Entries = { lines: EntryLine[]; odd: OddPart[]; pending: number; count: number; moved: bigint | null }
const noEntries = (): Entries => ({ lines: [], odd: [], pending: 0, count: 0, moved: 0n })

/**
 * Reads the statements of a file, whose text comes in pieces, part by part (rule 51): a statement of another account, or an entry that is
 * not certain, is set aside, and the rest is taken. Throws StatementError for a file that has no statement.
 */
export async function readStatements(pieces: Iterable<string>, own: Own): Promise<Delivery> {
  const delivery = emptyDelivery()
  let entries = noEntries()
  let header: Element | undefined
  let found = 0
  const end = (kind: StatementKind) => (element: Element) => {
    found += 1
    addStatement(delivery, { kind, element, header, place: found }, entries, own)
    entries = noEntries()
  }
  const reader = readXml(
    new Map([
      ['GrpHdr', (element: Element) => void (header = element)],
      ['Ntry', (entry: Element) => addEntry(entries, entry, own.currency)],
      ...Object.entries(CONTAINERS).map(([name, kind]) => [name, end(kind)] as const),
    ]),
  )
  try {
    for (const piece of pieces) {
      reader.write(piece)
      // A file of 20 MB takes a second, in which others must be answered.
      await setImmediate()
    }
    reader.end()
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    if (found === 0) throw unreadable()
    // The file is cut off, or broken, behind its first statement.
    delivery.odd.push({
      kind: 'statement',
      reason: 'unreadable_file',
      source: '',
      place: found + 1,
      shown: '',
    })
  }
  if (found === 0) throw unreadable()
  return delivery
}

function addEntry(entries: Entries, entry: Element, currency: string): void {
  const read = readEntry(entry, currency)
  entries.count += 1
  if ('lines' in read) entries.lines.push(...read.lines)
  else if ('pending' in read) entries.pending += read.pending
  else {
    entries.odd.push({
      kind: 'entry',
      reason: read.odd,
      source: '',
      place: entries.count,
      shown: leavesOf(entry).join(' · '),
    })
    entries.moved = entries.moved === null || read.amount === null ? null : entries.moved + read.amount
  }
  if (entries.lines.length > MOST_LINES || entries.odd.length > MOST_ODD)
    throw new StatementError('too_many_lines')
}

/** Returns the texts of an element as 'name: text', in their order. */
const leavesOf = ({ name, text, attributes, children }: Element): string[] =>
  children.length > 0
    ? children.flatMap(leavesOf)
    : [`${name}: ${[text.trim(), attributes['Ccy']].filter(Boolean).join(' ')}`]

type Found = { kind: StatementKind; element: Element; header: Element | undefined; place: number }

function addStatement(
  delivery: Delivery,
  { kind, element, header, place }: Found,
  entries: Entries,
  own: Own,
) {
  const statement = {
    ...statementOf(element, { kind, page: pageOf(element, header) }),
    lines: entries.lines.map((line, index) => ({ ...line, place: index + 1 })),
  }
  const reason = reasonAgainst(statement, entries.moved, own)
  if (reason !== undefined) {
    const shown = titleOf(statement, entries.count)
    delivery.odd.push({ kind: 'statement', reason, source: statement.id, place, shown })
    return
  }
  delivery.statements.push({ ...statement, currency: own.currency })
  delivery.odd.push(...entries.odd.map((part) => ({ ...part, source: statement.id })))
  delivery.pending += entries.pending
}
