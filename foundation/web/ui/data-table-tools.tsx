import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Columns3 from 'lucide-react/icons/columns-3'
import Download from 'lucide-react/icons/download'
import { csvFile, csvLine, textCell } from '#foundation/csv.ts'
import { decimalText, type Money } from '#foundation/money.ts'
import { saveCsv } from '#foundation/web/api/download.ts'
import { CallError } from '#foundation/web/api/query.ts'
import { MOST_ROWS } from '#foundation/web/api/use-list.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { m } from '#texts/messages.js'
import { Button, buttonClass } from './button.tsx'
import { orderOf, type Column, type Value } from './data-table-columns.ts'
import { Menu, MenuItem } from './menu.tsx'

type Page<Item> = { items: readonly Item[]; next_cursor: string | null }

type Props<Item, Order extends string> = {
  name: string
  label: string
  list: { readPages: () => Promise<{ pages: readonly Page<Item>[] }> }
  columns: readonly Column<Item, Order>[]
  shown: readonly Column<Item, Order>[]
  sorted?: Order
  onToggle: (name: string) => void
}

/** The line above a table: its order, the choice of its columns, and the file of what it shows. */
export function TableTools<Item, Order extends string>(props: Props<Item, Order>) {
  const { label, columns, shown, sorted, onToggle } = props
  const choices = columns.filter(({ value, isFileOnly }, place) => place > 0 && value && !isFileOnly)
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {sorted === undefined ? null : <OrderText columns={columns} sorted={sorted} />}
      <Menu
        align="end"
        trigger={
          <>
            <Columns3 size={16} aria-hidden="true" />
            <span>{m.ui_table_columns()}</span>
          </>
        }
        triggerClass={buttonClass('quiet', 'small')}
      >
        {choices.map((column) => (
          <MenuItem
            key={column.name}
            isOneOfSeveral
            checked={shown.includes(column)}
            onSelect={() => onToggle(column.name)}
          >
            {column.head}
          </MenuItem>
        ))}
      </Menu>
      <FileButton {...props} label={label} />
    </div>
  )
}

function OrderText<Item, Order extends string>({
  columns,
  sorted,
}: {
  columns: readonly Column<Item, Order>[]
  sorted: Order
}) {
  const by = columns.find((column) => orderOf(column, sorted).direction)
  if (!by) return null
  const Arrow = orderOf(by, sorted).direction === 'ascending' ? ArrowUp : ArrowDown
  return (
    <p className="mr-auto flex items-center gap-1 text-sm text-muted max-sm:hidden">
      <span>{m.ui_table_sorted({ column: by.head })}</span>
      <Arrow size={14} aria-hidden="true" />
    </p>
  )
}

/** Saves the rows of all pages, with the filter and the order of the list, the columns that are shown, and those for files alone. */
function FileButton<Item, Order extends string>({ name, label, list, columns, shown }: Props<Item, Order>) {
  const save = useAct(async () => {
    try {
      const { pages } = await list.readPages()
      saveCsv(fileOf(pages, [...shown, ...columns.filter(({ isFileOnly }) => isFileOnly)]), name)
      if (pages.at(-1)?.next_cursor) toastSuccess(() => m.ui_table_file_part({ count: MOST_ROWS }))
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const [first] = error.answer.errors
      if (first) toastError(() => errorText(first), error.answer)
    }
  })
  return (
    <Button
      size="small"
      look="quiet"
      icon={<Download size={16} aria-hidden="true" />}
      aria-label={m.ui_table_file({ list: label })}
      pending={save.pending}
      onClick={save.run}
    >
      CSV
    </Button>
  )
}

function fileOf<Item, Order extends string>(
  pages: readonly Page<Item>[],
  columns: readonly Column<Item, Order>[],
): string {
  const written = columns.filter(({ value }) => value)
  const lines = pages
    .flatMap(({ items }) => items)
    .map((item) => {
      const values = written.map(({ value }) => value?.(item) ?? null)
      const money = values.find((value): value is Money => value !== null && typeof value === 'object')
      return { cells: values.map(cellOf), currency: money && [money.currency] }
    })
  const hasMoney = lines.some(({ currency }) => currency)
  const head = [...written.map((column) => column.head), ...(hasMoney ? [m.ui_table_currency()] : [])]
  return csvFile(
    head,
    lines.map(({ cells, currency = hasMoney ? [''] : [] }) => csvLine([...cells, ...currency])),
  )
}

function cellOf(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'object') return decimalText(value)
  return typeof value === 'number' ? String(value) : textCell(value)
}
