import type { Handler } from '#foundation/server/http/handler.ts'
import { job, type Job } from '#foundation/server/jobs/jobs.ts'
import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import type { OwnedThing } from '#foundation/server/acting.ts'
import { bookExactLines, announce, BOOK_EXACT, bookExact } from './book-exact.ts'
import * as book from './book-lines.ts'
import { importStatement, inspectCsv, previewCsv } from './import-statement.ts'
import { listBankLines } from './list-lines.ts'
import { finishOddPart, listOddParts, reopenOddPart } from './odd-list.ts'
import * as profiles from './profiles.ts'
import { ANNOUNCE_LINES, assignAct, reverseAct, ownedBankLine } from './line-acts.ts'

export const routes: readonly Handler[] = [
  importStatement,
  previewCsv,
  inspectCsv,
  profiles.listProfiles,
  profiles.addProfile,
  listBankLines,
  bookExactLines,
  book.assignBankLine,
  book.ignoreBankLine,
  book.reopenBankLine,
  book.reverseBankLine,
  listOddParts,
  finishOddPart,
  reopenOddPart,
]

export const jobs: readonly Job[] = [job(BOOK_EXACT, bookExact), job(ANNOUNCE_LINES, announce)]

export const approvable: readonly ApprovableAct[] = [assignAct, reverseAct]

/** No member of staff acts on a thing of their own. */
export const ownedThings: readonly OwnedThing[] = [ownedBankLine]
