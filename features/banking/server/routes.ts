import type { Handler } from '#foundation/server/http/handler.ts'
import { bookExactLines } from './book-exact.ts'
import * as book from './book-lines.ts'
import { importStatement } from './import-statement.ts'
import { listBankLines } from './list-lines.ts'

export const routes: readonly Handler[] = [
  importStatement,
  listBankLines,
  bookExactLines,
  book.assignBankLine,
  book.ignoreBankLine,
  book.reopenBankLine,
  book.reverseBankLine,
]
