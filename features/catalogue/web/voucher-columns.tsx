import type { MadeVoucher } from '#features/catalogue/contract.ts'
import type { ListOrder } from '#foundation/paging.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { RowButton, type Column } from '#foundation/web/ui/data-table.tsx'
import { m } from '#texts/messages.js'
import { madeColumn, stateColumn, untilColumn, usedColumn, type StateTexts } from './code-columns.tsx'

/** The columns of the list of vouchers, whose rows open all that is known of one; `onVoid` is undefined for a member who may not void them. */
export const voucherColumns = (
  onOpen: (voucher: MadeVoucher) => void,
  onVoid: ((voucher: MadeVoucher) => void) | undefined,
): Column<MadeVoucher, ListOrder>[] => [
  {
    name: 'note',
    head: m.catalogue_voucher(),
    isText: true,
    value: nameOf,
    cell: (voucher) => (
      <span data-cut title={voucher.void_reason ?? nameOf(voucher)}>
        <RowButton onOpen={() => onOpen(voucher)} text={nameOf(voucher)} />{' '}
        {voucher.void_reason ? (
          <bdi className="ml-1 font-normal text-muted">{voucher.void_reason}</bdi>
        ) : null}
      </span>
    ),
  },
  stateColumn(STATES),
  usedColumn(m.catalogue_redeemed()),
  untilColumn(),
  {
    name: 'by',
    head: m.catalogue_made_by(),
    isText: true,
    isNamed: true,
    isSpare: true,
    value: ({ made_by }) => made_by?.name ?? m.catalogue_by_cli(),
  },
  madeColumn(),
  {
    name: 'amount',
    head: m.finance_column_amount(),
    align: 'right',
    sort: { descending: 'highest', ascending: 'lowest' },
    value: ({ amount }) => amount,
  },
  {
    name: 'void_reason',
    head: m.catalogue_reason(),
    isFileOnly: true,
    value: ({ void_reason }) => void_reason,
  },
  ...(onVoid ? [voiding(onVoid)] : []),
]

const voiding = (onVoid: (voucher: MadeVoucher) => void): Column<MadeVoucher> => ({
  name: 'acts',
  head: m.ui_table_acts(),
  cell: (voucher) =>
    voucher.state === 'live' ? (
      <Button
        size="small"
        aria-label={m.catalogue_void_of({ id: voucher.id })}
        onClick={() => onVoid(voucher)}
      >
        {m.catalogue_void()}
      </Button>
    ) : null,
})

export const nameOf = ({ note, id }: MadeVoucher): string =>
  note === '' ? m.catalogue_unnamed({ id }) : note

/** The word and the tone of each state of a voucher. */
export const STATES: StateTexts<MadeVoucher['state']> = {
  live: [m.catalogue_state_live, 'success'],
  used_up: [m.catalogue_state_used_up, 'neutral'],
  expired: [m.catalogue_state_expired, 'neutral'],
  void: [m.catalogue_state_void, 'danger'],
}
