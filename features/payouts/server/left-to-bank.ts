import { toMoney } from '#foundation/money.ts'
import { on } from '#foundation/server/events.ts'
import { conflictWith } from '#foundation/server/http/http-error.ts'
import { closeLeftMoney, lockBalanceOf, payableOf } from '#features/finance/server/finance.ts'
import { balanceToBank } from '#features/profile/contract.ts'
import { keepAccount } from './accounts.ts'
import { payToAccount } from './create.ts'

/**
 * Pays out what is left on an account that is deleted (rule 61). The payout and its bank account stay until it has ended, though the person
 * is erased. Throws 409 `balance_left` with the balance where less may leave than the
 * customer saw, or the rest is another than the sum that was given up.
 */
export const payLeftMoneyOut = on(
  balanceToBank,
  async (app, tx, { user_id, forfeit, amount: money, iban, holder, address }) => {
    const { currency } = app.config
    const amount = BigInt(money.amount)
    const left = await lockBalanceOf(app, tx, user_id)
    const { payable } = await payableOf(tx, { user_id, currency })
    const isNamed = amount + BigInt(forfeit?.amount ?? '0') === left && money.currency === currency
    if (amount <= 0n || amount > payable || !isNamed)
      throw conflictWith({ code: 'balance_left' }, { balance: toMoney(left, currency) })
    const account_id = await keepAccount(app, tx, user_id, { iban, holder }, address)
    await payToAccount(app, tx, { user_id, amount, account_id, requested_by: null, reason: '' })
    await closeLeftMoney(tx, user_id)
  },
)
