import { useState, type ReactNode } from 'react'
import type { TopUp } from '#features/finance/contract.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { itemsOf, LoadedList, type Pages } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'
import { BankDetails } from './bank-details.tsx'

type Props<Item> = {
  title: string
  query: Pages<Item>
  failed: string
  /** The id of an item that the page shows already, which is left out. */
  besides: string | undefined
  children: (item: Item) => ReactNode
}

/** A card of what waits for its money, as rows; nothing where nothing waits. */
export function WaitingList<Item extends { id: string }>({
  title,
  query,
  failed,
  besides,
  children,
}: Props<Item>) {
  return (
    <Loaded query={query} failed={failed} waiting={null}>
      {() => {
        const items = itemsOf(query)?.filter(({ id }) => id !== besides) ?? []
        return items.length === 0 ? null : (
          <Card title={title}>
            <LoadedList query={query} failed={failed} none={null}>
              {() => <ul className="-my-2 ruled">{items.map(children)}</ul>}
            </LoadedList>
          </Card>
        )
      }}
    </Loaded>
  )
}

/** A row of what waits: its words, its acts, and the bank details to open where it is paid by bank transfer. */
export function WaitingRow({
  payment: { bank, amount },
  words,
  children,
}: {
  payment: Pick<TopUp, 'bank' | 'amount'>
  words: ReactNode
  children: ReactNode
}) {
  const [open, setOpen] = useState(false)
  return (
    <li className="py-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 [overflow-wrap:anywhere]">{words}</p>
        <div className="flex flex-wrap gap-2">
          {bank ? (
            <Button size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? m.finance_waiting_hide() : m.finance_waiting_show()}
            </Button>
          ) : null}
          <div className="flex flex-wrap gap-2">{children}</div>
        </div>
      </div>
      {open && bank ? <BankDetails bank={bank} amount={amount} /> : null}
    </li>
  )
}
