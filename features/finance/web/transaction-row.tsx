import { paths } from '#features/paths.ts'
import ArrowDownLeft from 'lucide-react/icons/arrow-down-left'
import ArrowUpRight from 'lucide-react/icons/arrow-up-right'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Ticket from 'lucide-react/icons/ticket'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import Undo2 from 'lucide-react/icons/undo-2'
import type { Transaction } from '#features/finance/contract.ts'
import { descriptionText, movementText } from '#features/finance/texts.ts'
import { amountOf } from '#foundation/money.ts'
import { formatDate, formatDateTime } from '#foundation/web/i18n/format.ts'
import { formatMoney, formatSignedMoney } from '#foundation/web/i18n/money.ts'
import { Link } from '#foundation/web/navigation.tsx'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { m } from '#texts/messages.js'

type Props = { transaction: Transaction; onOpen: (transaction: Transaction) => void }

/** One transaction of the account. A click anywhere on the line opens the transaction's invoice, else its server, else its details. */
export function TransactionRow({ transaction, onOpen }: Props) {
  const { type, amount, balance_after, created_at, description } = transaction
  const Icon = type === 'charge_back' && description.code !== 'charge_back' ? Undo2 : ICONS[type]
  const text = descriptionText(description)
  const to = documentOf(transaction)
  return (
    <li className="relative grid grid-cols-[1fr_auto] items-center sm:grid-cols-[auto_1fr_auto] gap-x-3 gap-y-0.5 px-4 py-3 text-sm transition-colors duration-150 first:rounded-t-lg last:rounded-b-lg hover:bg-hover sm:px-5 md:grid-cols-[auto_1fr_7rem_6.5rem_6.5rem] lg:grid-cols-[auto_1fr_7rem_7.5rem_7.5rem] lg:gap-x-4">
      <span
        title={movementText(transaction)}
        className={classNames(
          'row-span-2 flex size-8 items-center justify-center rounded-full max-sm:hidden md:row-span-1',
          description.code === 'charge_back' ? 'bg-danger-soft text-danger-text' : 'bg-sunken text-muted',
        )}
      >
        <Icon size={16} aria-hidden="true" />
      </span>
      <div className="row-span-2 min-w-0 md:row-span-1">
        {to === undefined ? (
          <button type="button" onClick={() => onOpen(transaction)} className={openerClass}>
            {text}
          </button>
        ) : (
          <Link to={to} className={openerClass}>
            {text}
          </Link>
        )}
        <span className="block text-muted max-sm:text-xs">
          <span className={IMPLIED[description.code] === type ? 'sr-only' : undefined}>
            {movementText(transaction)}{' '}
          </span>
          <span className="whitespace-nowrap md:hidden">{formatDate(created_at)}</span>
        </span>
      </div>
      <time dateTime={created_at} title={formatDateTime(created_at)} className="text-muted max-md:hidden">
        {formatDate(created_at)}
      </time>
      <span
        className={classNames(
          'text-right font-medium whitespace-nowrap max-md:self-end',
          amountOf(amount) > 0n && 'text-success-text',
        )}
      >
        {formatSignedMoney(amount)}
      </span>
      <span className="text-right whitespace-nowrap text-muted max-md:self-start">
        <span className="sr-only">{m.finance_column_balance()}: </span>
        {formatMoney(balance_after)}
      </span>
    </li>
  )
}

/** Returns the path of the invoice or server that a transaction belongs to; undefined if it belongs to none. */
function documentOf({ invoice_id, host_id }: Transaction): string | undefined {
  if (invoice_id !== null) return paths.invoice(invoice_id)
  return host_id === null ? undefined : paths.host(host_id)
}

/** The type that a description already implies. Such a type is not shown below the description, only read by screen readers. */
const IMPLIED: Readonly<Partial<Record<Transaction['description']['code'], Transaction['type']>>> = {
  top_up: 'fill_balance',
  voucher: 'fill_balance_voucher',
  credit: 'fill_balance_voucher',
  charge_back: 'charge_back',
  licence_order: 'spend',
  licence_renewal: 'spend',
  licence_auto_renewal: 'inner_spending',
  licence_upgrade: 'spend',
  licence_orders: 'spend',
  licence_renewals: 'spend',
  licence_upgrades: 'spend',
  refund: 'return_on_balance',
}

const openerClass =
  'block min-h-6 w-full cursor-pointer rounded-sm text-left leading-6 font-medium text-pretty [overflow-wrap:anywhere] ' +
  'after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 ' +
  'focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-text'

const ICONS = {
  fill_balance: ArrowDownLeft,
  fill_balance_voucher: Ticket,
  charge_back: TriangleAlert,
  spend: ArrowUpRight,
  return_on_balance: Undo2,
  inner_spending: RefreshCw,
  inner_refund: Undo2,
} as const
