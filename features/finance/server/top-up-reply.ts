import { toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type * as contract from '#features/finance/contract.ts'
import { bankAccountIn, epcText } from '#features/finance/epc.ts'
import { topUpOf, type TopUpRow } from './top-up-queries.ts'

/** The reply about a top-up, as the contract shows it. */
export function toTopUpReply(app: App, topUp: TopUpRow): contract.TopUp {
  const { public_id: id, status, provider, amount, currency, created_at, redirect_url } = topUp
  return {
    id,
    status,
    provider,
    amount: toMoney(amount, currency),
    created_at: created_at.toISOString(),
    redirect_url: status === 'pending' ? redirect_url : null,
    bank: transferOf(app, topUp),
  }
}

/** The payment of an order, as its contract shows it. */
export const paymentOf = async (
  app: App,
  db: App['db'],
  user_id: string,
  public_id: string,
): Promise<contract.TopUp> => toTopUpReply(app, must(await topUpOf(db, user_id, public_id), 'payment'))

/** The details to write on a transfer, and a QR code of them if one can be made. */
function transferOf({ config }: App, { reference, amount, currency }: TopUpRow): contract.TopUp['bank'] {
  if (reference === null) return null
  const account = bankAccountIn(config.bankAccount)
  const epc = account && epcText(account, toMoney(amount, currency), reference)
  return { reference, account: config.bankAccount, iban: account?.iban ?? null, epc: epc ?? null }
}
