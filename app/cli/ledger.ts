import { checkLedger } from '#features/finance/server/finance.ts'
import { inspectMigrations } from '#foundation/server/database/migrate.ts'
import { withConnection } from '#foundation/server/database/with-connection.ts'
import { Refused } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'

/** Recomputes the ledger. Prints a line for each row that breaks a law of the ledger; the exit code is then 1. */
export async function reportLedger({ config, ownerUrl }: CommandEnvironment): Promise<Answer> {
  const { pending, refusal } = await withConnection(ownerUrl, (client) =>
    inspectMigrations(client, { acceptNewer: config.acceptNewerDatabase }),
  )
  if (refusal !== undefined) throw new Refused(refusal)
  if (pending.length > 0)
    throw new Refused(
      `${pending.length} migrations of this release have not run, so it does not know these books. Check them by the release that wrote them, or start this one first.`,
    )
  const data = await checkLedger(ownerUrl)
  const { transactions, damages } = data
  if (damages.length === 0) return { lines: [`In balance: ${transactions} transactions.`], data }
  const lines = damages.map(({ law, what }) => `  ${what} breaks: ${law}`)
  return { lines: ['The ledger is not in balance.', ...lines], data, failed: true }
}
