import type { PromoCode } from '#features/catalogue/promo-contract.ts'
import { formatPercent } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { RowButton, type Column } from '#foundation/web/ui/data-table.tsx'
import { m } from '#texts/messages.js'
import { madeColumn, stateColumn, untilColumn, usedColumn, type StateTexts } from './code-columns.tsx'
import { STATES as VOUCHER_STATES } from './voucher-columns.tsx'

/** The columns of the list of promo codes, whose rows open all that is known of one; `onEnd` is undefined for a member who may not end them. */
export const promoColumns = (
  onOpen: (promo: PromoCode) => void,
  onEnd: ((promo: PromoCode) => void) | undefined,
): Column<PromoCode, '' | 'oldest'>[] => [
  {
    name: 'code',
    head: m.catalogue_promo(),
    isText: true,
    value: ({ code }) => code,
    cell: (promo) => (
      <span data-cut title={promo.note}>
        <RowButton onOpen={() => onOpen(promo)} text={promo.code} />{' '}
        {promo.note === '' ? null : <bdi className="ml-1 font-normal text-muted">{promo.note}</bdi>}
      </span>
    ),
  },
  stateColumn(STATES),
  usedColumn(m.catalogue_promo_orders()),
  {
    name: 'renewals',
    head: m.catalogue_promo_renewals(),
    isNamed: true,
    value: ({ renewals }) => String(renewals),
  },
  {
    name: 'for',
    head: m.catalogue_promo_for(),
    isText: true,
    isNamed: true,
    isSpare: true,
    value: ({ editions, first_order_only }) =>
      [
        editions === null ? m.catalogue_promo_all() : editions.join(', '),
        ...(first_order_only ? [m.catalogue_promo_first()] : []),
      ].join(' · '),
  },
  untilColumn(),
  madeColumn(),
  {
    name: 'lowers',
    head: m.catalogue_promo_lowers(),
    align: 'right',
    value: ({ percent, amount }) =>
      percent === null ? (amount ? `−${formatMoney(amount)}` : '') : `−${formatPercent(String(percent))}`,
  },
  { name: 'note', head: m.catalogue_note(), isFileOnly: true, value: ({ note }) => note },
  ...(onEnd ? [ending(onEnd)] : []),
]

const ending = (onEnd: (promo: PromoCode) => void): Column<PromoCode> => ({
  name: 'acts',
  head: m.ui_table_acts(),
  cell: (promo) =>
    promo.state === 'live' ? (
      <Button
        size="small"
        aria-label={m.catalogue_promo_end_of({ code: promo.code })}
        onClick={() => onEnd(promo)}
      >
        {m.catalogue_promo_end()}
      </Button>
    ) : null,
})

const STATES: StateTexts<PromoCode['state']> = {
  ...VOUCHER_STATES,
  ended: [m.catalogue_state_ended, 'neutral'],
}
