import Ellipsis from 'lucide-react/icons/ellipsis'
import { paths } from '#features/paths.ts'
import type { StaffPayout } from '#features/payouts/staff-contract.ts'
import type { ListOrder } from '#foundation/paging.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { RowLink, type Column } from '#foundation/web/ui/data-table.tsx'
import { Day } from '#foundation/web/ui/day.tsx'
import { iconButtonClass } from '#foundation/web/ui/icon-button.tsx'
import { Menu, MenuItem } from '#foundation/web/ui/menu.tsx'
import { m } from '#texts/messages.js'
import { StateBadge, stateTexts } from './state-badge.tsx'

type Act = (payout: StaffPayout) => void
type Acts = { sent: Act; giveBack: Act }
type PayoutColumn = Column<StaffPayout, ListOrder>

const nameOf = ({ customer }: StaffPayout) => customer.name || customer.email || customer.id
const wayText = ({ way, iban_end }: StaffPayout) =>
  way === 'source' ? m.payouts_to_source() : iban_end === null ? '' : m.payouts_to_account({ end: iban_end })
const accountText = (payout: StaffPayout) =>
  payout.account ? `${payout.account.iban} ${payout.account.holder}` : wayText(payout)

/**
 * The last letters of an IBAN, by which a person knows it, and the holder if it is another than the customer. The title and the
 * file of the table have all of it.
 */
function To({ payout }: { payout: StaffPayout }) {
  const { account } = payout
  if (!account) return <span title={wayText(payout)}>{wayText(payout)}</span>
  const { iban, holder } = account
  const short = `… ${iban.slice(-4)}`
  return (
    <span title={accountText(payout)}>
      <span>{short}</span> {holder === nameOf(payout) ? null : <bdi>{holder}</bdi>}
    </span>
  )
}

/**
 * The columns of the payouts; `acts` is undefined for a member who may only read. A list of one state does not say it in each row, so that the
 * names have room.
 */
export const payoutColumns = (acts: Acts | undefined, isMixed: boolean): PayoutColumn[] => [
  {
    name: 'customer',
    head: m.payouts_customer(),
    isText: true,
    value: nameOf,
    cell: (payout) => (
      <RowLink to={paths.customer(payout.customer.id, { tab: 'money' })} text={nameOf(payout)} />
    ),
  },
  {
    name: 'to',
    head: m.payouts_to(),
    isText: true,
    value: accountText,
    cell: (payout) => <To payout={payout} />,
  },
  {
    name: 'reference',
    head: m.payouts_reference(),
    isSpare: true,
    value: ({ reference }) => reference,
  },
  ...(isMixed ? [stateColumn()] : []),
  {
    name: 'file',
    head: m.payouts_file(),
    isSpare: true,
    isNamed: true,
    value: ({ file }) => file ?? '',
    cell: ({ file }) => (file === null ? null : <span title={file}>{`… ${file.slice(-4)}`}</span>),
  },
  {
    name: 'date',
    head: m.payouts_date(),
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
    cell: ({ amount }) => formatMoney(amount),
  },
  ...(acts ? [actsColumn(acts)] : []),
]

const stateColumn = (): PayoutColumn => ({
  name: 'state',
  head: m.payouts_state(),
  value: ({ state }) => stateTexts[state](),
  cell: ({ state }) => <StateBadge state={state} />,
})

const actsColumn = (acts: Acts): PayoutColumn => ({
  name: 'acts',
  head: m.ui_table_acts(),
  cell: (payout) => <PayoutActs payout={payout} acts={acts} />,
})

/** The acts on a payout in its state. A payout to a source is ended by its provider alone. */
function PayoutActs({ payout, acts }: { payout: StaffPayout; acts: Acts }) {
  const { state, way } = payout
  const amount = formatMoney(payout.amount)
  if (way === 'source' || state === 'failed' || state === 'returned') return null
  return (
    <>
      {state === 'requested' ? (
        <Button
          size="small"
          aria-label={m.payouts_mark_sent_this({ amount })}
          onClick={() => acts.sent(payout)}
        >
          {m.payouts_mark_sent()}
        </Button>
      ) : null}
      <Menu
        label={m.payouts_more_acts({ amount })}
        trigger={<Ellipsis size={18} aria-hidden="true" />}
        triggerClass={iconButtonClass}
        align="end"
      >
        <MenuItem onSelect={() => acts.giveBack(payout)}>{m.payouts_return()}</MenuItem>
      </Menu>
    </>
  )
}
