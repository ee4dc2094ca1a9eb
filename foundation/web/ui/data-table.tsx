import type { ComponentProps, CSSProperties, ReactNode } from 'react'
import { Link } from '#foundation/web/navigation.tsx'
import { useShownColumns, type Column } from './data-table-columns.ts'
import { Cell, Head } from './data-table-parts.tsx'
import { TableTools } from './data-table-tools.tsx'
import { itemsOf, LoadedList } from './loaded-list.tsx'
import { Skeleton } from './skeleton.tsx'

export { type Column } from './data-table-columns.ts'

type List<Item> = ComponentProps<typeof LoadedList<Item>>

type Common<Item, Order extends string> = Pick<List<Item>, 'failed' | 'none'> & {
  /** The name of the file, and of the browser's choice of columns. */
  name: string
  label: string
  list: {
    query: List<Item>['query'] & { isPlaceholderData?: boolean }
    readPages: () => Promise<{ pages: readonly { items: readonly Item[]; next_cursor: string | null }[] }>
  }
  idOf: (item: Item) => string
  /** The first column names the row. */
  columns: readonly Column<Item, Order>[]
  /** Puts several rows of the page into one; the file has them all. */
  fold?: (items: readonly Item[]) => readonly Item[]
}

/** The order that the list has, and the function that gives it another. */
type Sorting<Order extends string> = { sorted: Order; onSort: (order: Order) => void }

/**
 * The table of a list of staff: a row of one or two lines, below a head that stays in view and sorts; on a phone a card a row. People choose its
 * columns, and save what it shows as a file. A table sorts by its heads, or no column of it has an order: a head that says an order and cannot
 * be pressed is no table by its type.
 */
export function DataTable<Item>(props: Common<Item, never>): ReactNode
export function DataTable<Item, Order extends string>(props: Common<Item, Order> & Sorting<Order>): ReactNode
export function DataTable<Item, Order extends string>(props: Common<Item, Order> & Partial<Sorting<Order>>) {
  const { name, label, list, idOf, columns, sorted, onSort, fold, failed, none } = props
  const { shown, toggle } = useShownColumns(name, columns)
  return (
    <div className="flex flex-col gap-2">
      {itemsOf(list.query)?.length === 0 ? null : <TableTools {...props} shown={shown} onToggle={toggle} />}
      <LoadedList query={list.query} failed={failed} none={none} waiting={<Waiting />}>
        {(items) => (
          <div className="data-table">
            <table
              aria-label={label}
              aria-busy={list.query.isPlaceholderData}
              style={tracksOf(shown)}
              className="transition-opacity duration-150 aria-busy:opacity-60"
            >
              <thead>
                <tr>
                  {shown.map((column) => (
                    <Head key={column.name} column={column} sorted={sorted} onSort={onSort} />
                  ))}
                </tr>
              </thead>
              <tbody>
                {(fold?.(items) ?? items).map((item) => (
                  <tr key={idOf(item)}>
                    {shown.map((column, place) => (
                      <Cell key={column.name} column={column} isFirst={place === 0} item={item} />
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </LoadedList>
    </div>
  )
}

/** The link of a row, over all of it; `j` and `k` go from one to the next. */
export const RowLink = ({ to, text }: { to: string; text: string }) => (
  <Link to={to} data-row dir="auto" title={text}>
    {text}
  </Link>
)

/** The button of a row that opens its details in a dialog, over all of the row. */
export const RowButton = ({ onOpen, text }: { onOpen: () => void; text: string }) => (
  <button type="button" data-row dir="auto" title={text} onClick={onOpen}>
    {text}
  </button>
)

const Waiting = () => (
  <div className="data-table ruled">
    {[0, 1, 2, 3, 4, 5, 6, 7].map((row) => (
      <div key={row} className="flex h-11 items-center gap-5 px-5">
        <Skeleton className="h-4 flex-1" />
        <Skeleton className="h-4 w-24" />
      </div>
    ))}
  </div>
)

/** The widths of the columns: of all, and of those that a narrow table shows. */
function tracksOf<Item, Order extends string>(shown: readonly Column<Item, Order>[]): CSSProperties {
  const tracks = (columns: typeof shown) =>
    columns
      .map(({ isText }, place) => {
        const growsTo = isText ? 'auto' : 'max-content'
        return place === 0 ? `minmax(8rem, ${growsTo})` : isText ? 'minmax(7.5rem, auto)' : growsTo
      })
      .join(' ')
  return Object.fromEntries([
    ['--tracks', tracks(shown)],
    ['--most-tracks', tracks(shown.filter(({ isSpare }) => isSpare !== 'first'))],
    ['--few-tracks', tracks(shown.filter(({ isSpare }) => !isSpare))],
  ])
}
