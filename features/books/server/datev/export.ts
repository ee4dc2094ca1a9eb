import { nextDay, lastDayOf, monthsIn } from '#features/books/rules.ts'
import { ledgerSums, movementsAfter, type MovementRow } from '#features/finance/server/finance.ts'
import { documentsAfter, numbersIn, type DocumentRow } from '#features/invoices/server/invoices.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import type { App } from '#foundation/server/app.ts'
import { inSnapshot } from '#foundation/server/database/snapshot.ts'
import type { ZippedFile } from '#foundation/server/zip.ts'
import { encodedText, paged, type Outcome, type Wanted } from '#features/books/server/exports/wanted.ts'
import type { Datev } from './accounts.ts'
import { controlSheet } from './control-sheet.ts'
import { addPosting, addVat, comparisonsOf, newTally, type Tally } from './control.ts'
import { headOf, MOST_ROWS, rowOf, type Batch } from './file.ts'
import { movementPosting, postingsOf, type Posting } from './postings.ts'
import { encoded } from './windows-1252.ts'

const AT_ONCE = 2_000

/** Yields the files of an export to DATEV: for each month the files of its postings, if it has any, and a control sheet. */
export const datevFiles = (
  app: App,
  datev: Datev,
  wanted: Wanted,
  outcome: Outcome,
): AsyncGenerator<ZippedFile> =>
  inSnapshot(app, async function* months(db) {
    outcome.agrees = true
    for (const month of monthsIn(wanted.first_day, wanted.last_day))
      yield* filesOf(app, db, { datev, month, wanted, outcome })
  })

type OfMonth = { datev: Datev; month: string; wanted: Wanted; outcome: Outcome }

async function* filesOf(
  app: App,
  db: App['db'],
  { datev, month, wanted, outcome }: OfMonth,
): AsyncGenerator<ZippedFile> {
  const { currency, timeZone: time_zone } = app.config
  const [first_day, last_day] = [`${month}-01`, lastDayOf(month)]
  const span = { first_day, next_day: nextDay(last_day), time_zone, currency }
  const batch: Batch = { datev, currency, month, first_day, last_day, made_at: wanted.created_at }
  const tally = newTally()
  const postings = allPostings(app, db, { span, tally })
  let next = await postings.next()
  for (let part = 1; !next.done; part += 1) {
    const path = `EXTF_Buchungsstapel_${month}${part === 1 ? '' : `_${part}`}.csv`
    yield {
      path,
      content: batchFile(batch, async () => {
        if (next.done) return undefined
        const { value } = next
        next = await postings.next()
        return value
      }),
    }
  }
  const comparisons = comparisonsOf(tally, await ledgerSums(db, span))
  const numbers = await numbersIn(db, span)
  outcome.rows += tally.rows
  outcome.agrees &&=
    comparisons.every(({ written, ledger }) => written === ledger) &&
    numbers.every(({ missing }) => missing === 0n)
  const sheet = controlSheet({ batch, tally, comparisons, numbers }, wanted.locale)
  yield { path: `control-${month}.csv`, content: [encodedText(sheet)] }
}

/** Yields one file of postings, with no more rows than DATEV reads from a file. */
async function* batchFile(
  batch: Batch,
  nextPosting: () => Promise<Posting | undefined>,
): AsyncGenerator<Uint8Array> {
  let text = headOf(batch)
  for (let rows = 0; rows < MOST_ROWS; rows += 1) {
    const posting = await nextPosting()
    if (!posting) break
    text += rowOf(posting, batch)
    if (text.length > PIECE) {
      yield encoded(text)
      text = ''
    }
  }
  yield encoded(text)
}

const PIECE = 65_536

/** Yields the postings of the sales, by their documents, and then of all other movements; adds each to the tally. */
async function* allPostings(
  app: App,
  db: App['db'],
  { span, tally }: { span: Parameters<typeof movementsAfter>[1]; tally: Tally },
): AsyncGenerator<Posting> {
  for await (const documents of paged(AT_ONCE, (after: DocumentRow | undefined, limit) =>
    documentsAfter(db, span, { after, limit }),
  ))
    for (const document of documents) {
      addVat(tally, document)
      for (const posting of postingsOf(document)) {
        addPosting(tally, posting)
        yield posting
      }
    }
  for await (const movements of paged(AT_ONCE, (after: MovementRow | undefined, limit) =>
    movementsAfter(db, span, { after, limit, sales: false }),
  )) {
    const ids = movements.map(({ user_id }) => user_id)
    const names = await displayNames(app, db, ids)
    for (const movement of movements) {
      const posting = movementPosting(movement, names.of(movement.user_id).name)
      addPosting(tally, posting)
      yield posting
    }
  }
}
