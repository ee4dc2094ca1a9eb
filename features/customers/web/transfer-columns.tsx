import Ellipsis from 'lucide-react/icons/ellipsis'
import { paths } from '#features/paths.ts'
import type { CustomerTopUp } from '#features/finance/contract.ts'
import type { ListOrder } from '#foundation/paging.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { RowLink, type Column } from '#foundation/web/ui/data-table.tsx'
import { iconButtonClass } from '#foundation/web/ui/icon-button.tsx'
import { Menu, MenuItem } from '#foundation/web/ui/menu.tsx'
import { Day } from '#foundation/web/ui/day.tsx'
import { m } from '#texts/messages.js'

type Act = (transfer: CustomerTopUp) => void
type Acts = { confirm: Act; reject: Act }
type TransferColumn = Column<CustomerTopUp, ListOrder>

/** The columns of the announced transfers; `acts` is undefined for a member who may only read. */
export const transferColumns = (acts: Acts | undefined): TransferColumn[] => [
  {
    name: 'customer',
    head: m.customers_customer(),
    isText: true,
    value: ({ customer }) => customer.name || customer.email,
    cell: ({ customer }) => (
      <RowLink to={paths.customer(customer.id, { tab: 'money' })} text={customer.name || customer.email} />
    ),
  },
  {
    name: 'email',
    head: m.customers_email(),
    isText: true,
    isSpare: true,
    value: ({ customer }) => customer.email,
  },
  {
    name: 'reference',
    head: m.finance_bank_reference(),
    value: ({ bank }) => bank?.reference ?? '',
    cell: ({ bank }) => <span className="font-mono">{bank?.reference}</span>,
  },
  {
    name: 'state',
    head: m.invoices_status(),
    isSpare: true,
    value: ({ status }) => STATES[status](),
    cell: ({ status }) => (status === 'pending' ? STATES[status]() : <Badge>{STATES[status]()}</Badge>),
  },
  {
    name: 'date',
    head: m.customers_transfers_date(),
    isSpare: true,
    isNamed: true,
    sort: { descending: '', ascending: 'oldest' },
    value: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Day at={created_at} />,
  },
  {
    name: 'amount',
    head: m.finance_column_amount(),
    align: 'right',
    sort: { descending: 'highest', ascending: 'lowest' },
    value: ({ amount }) => amount,
  },
  ...(acts ? [actsColumn(acts)] : []),
]

const actsColumn = ({ confirm, reject }: Acts): TransferColumn => ({
  name: 'acts',
  head: m.ui_table_acts(),
  cell: (transfer) => {
    const reference = transfer.bank?.reference ?? ''
    if (PAID.includes(transfer.status)) return null
    return (
      <>
        <Button
          size="small"
          onClick={() => confirm(transfer)}
          aria-label={m.customers_transfers_confirm_this({ reference })}
        >
          {m.customers_transfers_confirm()}
        </Button>
        {transfer.status === 'pending' ? (
          <Menu
            label={m.customers_transfers_more_acts({ reference })}
            trigger={<Ellipsis size={18} aria-hidden="true" />}
            triggerClass={iconButtonClass}
            align="end"
          >
            <MenuItem onSelect={() => reject(transfer)}>{m.customers_transfers_reject()}</MenuItem>
          </Menu>
        ) : null}
      </>
    )
  },
})

/** The states of transfers whose money has come, even if it was taken back since. */
const PAID: readonly CustomerTopUp['status'][] = ['paid', 'charged_back', 'corrected']

const STATES = {
  pending: m.customers_transfer_pending,
  paid: m.customers_transfer_paid,
  failed: m.customers_transfer_failed,
  expired: m.customers_transfer_expired,
  cancelled: m.customers_transfer_cancelled,
  charged_back: m.customers_transfer_charged_back,
  corrected: m.customers_transfer_corrected,
} as const
