import { checkLedger } from '#features/finance/server/finance.ts'
import type { CommandEnvironment } from './environment.ts'

/** Recomputes the ledger. Throws with a line for each row that breaks a law, so that the command fails. */
export async function reportLedger({ ownerUrl }: CommandEnvironment, act: string): Promise<void> {
  if (act !== 'check') throw new Error(`The ledger knows no '${act}'. Run: npm run hostdesk -- ledger check`)
  const { transactions, damages } = await checkLedger(ownerUrl)
  const lines = damages.map(({ law, what }) => `  ${what} breaks: ${law}`)
  if (lines.length > 0) throw new Error(['The ledger is not in balance.', ...lines].join('\n'))
  process.stdout.write(`In balance: ${transactions} transactions.\n`)
}
