import { buildApp } from '#app/server/build-app.ts'
import { credit, makeVoucher } from '#features/finance/server/finance.ts'
import { findAccountByEmail } from '#features/profile/server/profile.ts'
import { digitsOf } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAct } from '#foundation/server/audit/audit.ts'
import { migrate } from '#foundation/server/database/migrate.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import type { Surroundings } from './surroundings.ts'

/** `voucher make AMOUNT USES DAYS`. Throws for what is no amount or no number. */
export async function makeVoucherBy(surroundings: Surroundings, given: readonly string[]): Promise<void> {
  const [act, amount = '', uses = '', days = ''] = given
  if (act !== 'make')
    throw new Error(`There is no voucher '${act}'. Run: npm run hostdesk -- voucher make AMOUNT USES DAYS`)
  await withApp(surroundings, async (app) => {
    const voucher = { amount: readAmount(app, amount), uses: readCount(uses), days: readCount(days) }
    const code = await makeVoucher(app, voucher)
    process.stdout.write(`${code}\nIt is shown this once; what is kept is only a hash.\n`)
  })
}

/** `credit EMAIL AMOUNT REASON`. Throws where nobody has this address. */
export async function creditBy(surroundings: Surroundings, given: readonly string[]): Promise<void> {
  const [email = '', amount = '', reason = ''] = given
  if (reason.trim() === '' || reason.length > 200)
    throw new Error('Say the reason in at most 200 characters: the customer reads it.')
  await withApp(surroundings, async (app) => {
    const account = await findAccountByEmail(app.db, email.trim().toLowerCase())
    if (!account) throw new Error(`Nobody here has the address '${email}'.`)
    const { user_id } = account
    const minor = readAmount(app, amount)
    await transaction(app, 'system', async (tx) => {
      const { transaction_id } = await credit(app, tx, { user_id, amount: minor, reason })
      await recordAct(tx, {
        user_id,
        act: 'finance.credit_given',
        detail: { by: 'command line', transaction_id, reason },
      })
    })
    process.stdout.write(`${email} has ${amount} ${app.config.currency} more.\n`)
  })
}

async function withApp(
  { config, log, ownerUrl }: Surroundings,
  work: (app: App) => Promise<void>,
): Promise<void> {
  await migrate(ownerUrl)
  const app = await buildApp(config, { ownerUrl, log })
  try {
    await work(app)
  } finally {
    await app.close()
  }
}

/** '19.90' as 1990n: with a point, and at most as many digits behind it as the currency has. */
function readAmount({ config }: App, given: string): bigint {
  const digits = digitsOf(config.currency)
  const [, whole = '', part = ''] = /^(\d{1,9})(?:\.(\d+))?$/.exec(given) ?? []
  const amount = BigInt(whole + part.padEnd(digits, '0'))
  if (whole === '' || part.length > digits || amount === 0n)
    throw new Error(`'${given}' is no amount of ${config.currency}. Write it like 19.90.`)
  return amount
}

function readCount(given: string): number {
  if (!/^[1-9]\d{0,5}$/.test(given)) throw new Error(`'${given}' is no number from 1 to 999999.`)
  return Number(given)
}
