import { useEffect } from 'react'
import { amountOf, type Money } from '#foundation/money.ts'
import { useFinances } from './hooks.ts'

/** Tells of the balance that is left; of none and of debts it says nothing. */
export function BalanceAtStake({ onFound }: { onFound: (balance: Money, gift: Money) => void }) {
  const { balance, gift } = useFinances().data ?? {}
  useEffect(() => {
    if (balance && amountOf(balance) > 0n) onFound(balance, gift ?? { ...balance, amount: '0' })
  }, [balance, gift, onFound])
  return null
}
