import { useId, useState, type ReactNode } from 'react'
import type { Invoice } from '#features/invoices/contract.ts'
import type { Part } from '#features/invoices/explained.ts'
import { lineText } from '#features/invoices/texts.ts'
import type { Money } from '#foundation/money.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { AmountButton, Parts } from './explained-amount.tsx'

type Explained = { value: ReactNode; parts: ReactNode }

/** Lets each amount of a document open to its parts, one at a time. */
export function useExplained({ explained, lines }: Invoice) {
  const [open, setOpen] = useState<string>()
  const id = useId()
  const textOf = (place: number): string => {
    const line = lines[place - 1]
    return line ? lineText(line.description) : ''
  }
  const amount = (key: string, name: string, money: Money, parts: readonly Part[] | undefined): Explained => {
    const text = formatMoney(money)
    if (!parts) return { value: text, parts: null }
    const isOpen = open === key
    const controls = `${id}-${key}`
    const toggle = () => setOpen(isOpen ? undefined : key)
    return {
      value: <AmountButton text={text} name={name} open={isOpen} controls={controls} onToggle={toggle} />,
      parts: isOpen ? (
        <div id={controls}>
          <Parts parts={parts} sum={text} lineText={textOf} />
        </div>
      ) : null,
    }
  }
  return {
    line: (index: number): Explained => {
      const line = lines[index]
      return line
        ? amount(`line-${index}`, lineText(line.description), line.price, explained?.lines[index])
        : { value: null, parts: null }
    },
    sum: (key: 'net' | 'vat' | 'total', name: string, money: Money): Explained =>
      amount(key, name, money, explained?.[key]),
  }
}
