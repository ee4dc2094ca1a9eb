import { checkLedger } from '#features/finance/server/finance.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'

/** Recomputes the ledger. Fails with a line for each row that breaks a law. */
export async function reportLedger({ ownerUrl }: CommandEnvironment): Promise<Answer> {
  const { transactions, damages } = await checkLedger(ownerUrl)
  const data = { transactions, damages }
  if (damages.length === 0) return { lines: [`In balance: ${transactions} transactions.`], data }
  const lines = damages.map(({ law, what }) => `  ${what} breaks: ${law}`)
  return { lines: ['The ledger is not in balance.', ...lines], data, failed: true }
}
