import Ellipsis from 'lucide-react/icons/ellipsis'
import { paths } from '#features/paths.ts'
import type { BankLine } from '#features/banking/contract.ts'
import type { ListOrder } from '#foundation/paging.ts'
import { formatMoney, formatSignedMoney } from '#foundation/web/i18n/money.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { RowButton, type Column } from '#foundation/web/ui/data-table.tsx'
import { iconButtonClass } from '#foundation/web/ui/icon-button.tsx'
import { Menu, MenuItem } from '#foundation/web/ui/menu.tsx'
import { m } from '#texts/messages.js'
import { dayText, matchText, nameText, stateTexts } from './line-texts.ts'

export type LineAct = 'book' | 'ignore' | 'reverse' | 'reopen'

type LineColumn = Column<BankLine, ListOrder>

/** The columns of the payments on statements; `onAct` is undefined for a member who may only read. A list of one state does not say it in each row. */
export const lineColumns = (
  onOpen: (line: BankLine) => void,
  onAct: ((act: LineAct, line: BankLine) => void) | undefined,
  isMixed: boolean,
): LineColumn[] => [
  {
    name: 'payer',
    head: m.banking_csv_payer(),
    isText: true,
    value: nameText,
    cell: (line) => <RowButton text={nameText(line)} onOpen={() => onOpen(line)} />,
  },
  {
    name: 'text',
    head: m.banking_csv_purpose(),
    isText: true,
    isSpare: true,
    value: ({ text }) => text,
    cell: ({ text }) => (text ? <bdi title={text}>{text}</bdi> : null),
  },
  {
    name: 'iban',
    head: m.finance_bank_iban(),
    isSpare: true,
    isNamed: true,
    value: ({ iban }) => iban,
    cell: ({ iban }) => (iban ? <span title={iban}>{`${iban.slice(0, 4)} … ${iban.slice(-4)}`}</span> : null),
  },
  {
    name: 'match',
    head: m.banking_match(),
    isText: true,
    value: (line) => line.customer?.email ?? (line.state === 'open' ? matchText(line) : ''),
    cell: matchCell,
  },
  ...(isMixed ? [stateColumn()] : []),
  {
    name: 'date',
    head: m.finance_column_date(),
    sort: { descending: '', ascending: 'oldest' },
    value: ({ booked_on }) => booked_on,
    cell: ({ booked_on }) => <time dateTime={booked_on}>{dayText(booked_on)}</time>,
  },
  {
    name: 'amount',
    head: m.finance_column_amount(),
    align: 'right',
    sort: { descending: 'highest', ascending: 'lowest' },
    value: ({ amount }) => amount,
    cell: ({ amount }) => formatSignedMoney(amount),
  },
  ...(onAct ? [actsColumn(onAct)] : []),
]

const stateColumn = (): LineColumn => ({
  name: 'state',
  head: m.invoices_status(),
  value: ({ state }) => stateTexts[state](),
})

function matchCell(line: BankLine) {
  const { state, customer, cause, match } = line
  if (customer)
    return (
      <TextLink to={paths.customer(customer.id, { tab: 'money' })}>
        <bdi>{customer.email}</bdi>
      </TextLink>
    )
  if (state !== 'open') return null
  const tone = cause ? 'warning' : match === 'exact' ? 'success' : 'neutral'
  return (
    <Badge tone={tone} isLong>
      {matchText(line)}
    </Badge>
  )
}

const actsColumn = (onAct: (act: LineAct, line: BankLine) => void): LineColumn => ({
  name: 'acts',
  head: m.ui_table_acts(),
  cell: (line) => <LineActs line={line} onAct={(act) => onAct(act, line)} />,
})

/** The buttons for what can be done with a payment in its state. */
function LineActs({ line, onAct }: { line: BankLine; onAct: (act: LineAct) => void }) {
  const amount = formatMoney(line.amount)
  if (line.state === 'ignored')
    return (
      <Button size="small" aria-label={m.banking_reopen_this({ amount })} onClick={() => onAct('reopen')}>
        {m.banking_reopen()}
      </Button>
    )
  if (line.state === 'booked')
    return (
      <Button size="small" aria-label={m.banking_reverse_this({ amount })} onClick={() => onAct('reverse')}>
        {m.banking_reverse()}
      </Button>
    )
  // A payment from our account can be booked only if it gives a known payment back.
  const mayBeBooked = !line.amount.amount.startsWith('-') || line.candidates.length > 0
  return (
    <>
      {mayBeBooked ? (
        <Button size="small" aria-label={m.banking_book_this({ amount })} onClick={() => onAct('book')}>
          {m.banking_book()}
        </Button>
      ) : null}
      <Menu
        label={m.banking_more_acts({ amount })}
        trigger={<Ellipsis size={18} aria-hidden="true" />}
        triggerClass={iconButtonClass}
        align="end"
      >
        <MenuItem onSelect={() => onAct('ignore')}>{m.banking_ignore()}</MenuItem>
      </Menu>
    </>
  )
}
