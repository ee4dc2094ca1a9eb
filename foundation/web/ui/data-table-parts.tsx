import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import type { ReactNode } from 'react'
import { amountOf } from '#foundation/money.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { classNames } from './class-names.ts'
import { orderOf, type Column, type Value } from './data-table-columns.ts'

type HeadProps<Item, Order extends string> = {
  column: Column<Item, Order>
  sorted: Order | undefined
  onSort: ((order: Order) => void) | undefined
}

/** The head of a column; where the list can be ordered by it, a button. */
export function Head<Item, Order extends string>({ column, sorted, onSort }: HeadProps<Item, Order>) {
  const { head, value, align, isSpare } = column
  const { direction, next } = orderOf(column, sorted)
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown
  const content = (
    <>
      <span>{head}</span>
      {direction ? <Arrow size={14} aria-hidden="true" className="shrink-0" /> : null}
    </>
  )
  return (
    <th
      scope="col"
      title={value ? head : undefined}
      aria-sort={direction}
      data-align={align}
      data-spare={isSpare}
      data-sorts={next !== undefined && onSort !== undefined}
    >
      {next === undefined || !onSort ? (
        <div className={value ? undefined : 'sr-only'}>{content}</div>
      ) : (
        <button type="button" onClick={() => onSort(next)}>
          {content}
        </button>
      )}
    </th>
  )
}

type CellProps<Item, Order extends string> = { column: Column<Item, Order>; isFirst: boolean; item: Item }

export function Cell<Item, Order extends string>({ column, isFirst, item }: CellProps<Item, Order>) {
  const { head, align, isText, isSpare, isNamed, value } = column
  const content = contentOf(column, item)
  const Tag = isFirst ? 'th' : 'td'
  return (
    <Tag
      scope={isFirst ? 'row' : undefined}
      title={typeof content === 'string' ? content : undefined}
      data-align={align}
      data-spare={isSpare}
      data-text={isText}
      data-head={isNamed ? head : undefined}
      className={value ? undefined : 'acts'}
    >
      {isText && !isFirst && content ? <div>{content}</div> : content}
    </Tag>
  )
}

/** The content of a cell. */
export const contentOf = <Item, Order extends string>(
  { value, cell }: Column<Item, Order>,
  item: Item,
): ReactNode => (cell ? cell(item) : shown(value?.(item) ?? null))

function shown(value: Value): ReactNode {
  if (value === null || typeof value !== 'object') return value
  const isDebt = amountOf(value) < 0n
  return <span className={classNames(isDebt && 'text-danger-text')}>{formatMoney(value)}</span>
}
