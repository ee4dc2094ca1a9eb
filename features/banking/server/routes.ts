import type { Handler } from '#foundation/server/http/handler.ts'
import { bookExactLines } from './book-exact.ts'
import * as book from './book-lines.ts'
import { importStatement, inspectCsv, previewCsv } from './import-statement.ts'
import { listBankLines } from './list-lines.ts'
import { finishOddPart, listOddParts, reopenOddPart } from './odd-list.ts'
import * as profiles from './profiles.ts'

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
