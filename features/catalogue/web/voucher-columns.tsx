import type { MadeVoucher } from '#features/catalogue/contract.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { Badge, type Tone } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import type { Column } from '#foundation/web/ui/data-table.tsx'
import { Day } from '#foundation/web/ui/day.tsx'
import { m } from '#texts/messages.js'

/** The columns of the list of vouchers; `onVoid` is undefined for a member who may not void them. */
export const voucherColumns = (
  onVoid: ((voucher: MadeVoucher) => void) | undefined,
): Column<MadeVoucher>[] => [
  {
    name: 'note',
    head: m.catalogue_voucher(),
    isText: true,
    value: nameOf,
    cell: (voucher) => (
      <span data-cut title={voucher.void_reason ?? nameOf(voucher)}>
        <bdi>{nameOf(voucher)}</bdi>{' '}
        {voucher.void_reason ? (
          <bdi className="ml-1 font-normal text-muted">{voucher.void_reason}</bdi>
        ) : null}
      </span>
    ),
  },
  {
    name: 'state',
    head: m.catalogue_state(),
    value: ({ state }) => STATES[state][0](),
    cell: ({ state }) => <Badge tone={STATES[state][1]}>{STATES[state][0]()}</Badge>,
  },
  {
    name: 'used',
    head: m.catalogue_redeemed(),
    isNamed: true,
    value: ({ used, uses }) => m.catalogue_used({ used: String(used), uses: String(uses) }),
  },
  {
    name: 'until',
    head: m.catalogue_until(),
    isNamed: true,
    value: ({ expires_at }) => expires_at,
    cell: ({ expires_at: at }) => (at === null ? m.catalogue_valid_always() : <Day at={at} />),
  },
  {
    name: 'by',
    head: m.catalogue_made_by(),
    isText: true,
    isNamed: true,
    isSpare: true,
    value: ({ made_by }) => made_by?.name ?? m.catalogue_by_cli(),
  },
  {
    name: 'made',
    head: m.catalogue_made(),
    isNamed: true,
    isSpare: true,
    sort: { descending: '' },
    value: ({ created_at }) => created_at,
    cell: ({ created_at }) => formatDate(created_at),
  },
  { name: 'amount', head: m.finance_column_amount(), align: 'right', value: ({ amount }) => amount },
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

const nameOf = ({ note, id }: MadeVoucher): string => (note === '' ? m.catalogue_unnamed({ id }) : note)

/** The word and the tone of each state of a voucher. */
export const STATES: Readonly<Record<MadeVoucher['state'], readonly [() => string, Tone]>> = {
  live: [m.catalogue_state_live, 'success'],
  used_up: [m.catalogue_state_used_up, 'neutral'],
  expired: [m.catalogue_state_expired, 'neutral'],
  void: [m.catalogue_state_void, 'danger'],
}
