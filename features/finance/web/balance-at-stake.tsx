import { useEffect } from 'react'
import { amountOf, type Money } from '#foundation/money.ts'
import { useFinances } from './hooks.ts'

/** Tells of the balance that is left; of none and of debts it says nothing. */
export function BalanceAtStake({ onFound }: { onFound: (balance: Money) => void }) {
  const balance = useFinances().data?.balance
  useEffect(() => {
    if (balance && amountOf(balance) > 0n) onFound(balance)
  }, [balance, onFound])
  return null
}
