import type { Column } from './data-table-columns.ts'
import { contentOf } from './data-table-parts.tsx'
import { Dialog } from './dialog.tsx'
import { Facts } from './facts.tsx'

type Props<Item, Order extends string> = {
  item: Item
  title: string
  columns: readonly Column<Item, Order>[]
  onClose: () => void
}

/** All that a table knows of a row, also what only its file says and what a narrow window or the reader hides. The title has the first column. */
export function RowDetails<Item, Order extends string>({
  item,
  title,
  columns,
  onClose,
}: Props<Item, Order>) {
  const facts = columns
    .slice(1)
    .filter(({ value }) => value)
    .map((column) => ({ name: column.head, value: contentOf(column, item) }))
  return (
    <Dialog open onClose={onClose} title={title}>
      <Facts facts={facts.filter(({ value }) => value !== null && value !== '')} />
    </Dialog>
  )
}
