import { lastMinute } from '#foundation/web/i18n/days.ts'
import { useQuery } from '@tanstack/react-query'
import { vatStateTexts } from '#features/customers/texts.ts'
import {
  checkCustomerVatId,
  getCustomerVatStatus,
  type PlaceStatus,
  type VatStatus,
} from '#features/invoices/contract.ts'
import { placesText, placeText } from '#features/invoices/texts.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { useMay } from '#features/team/web/team.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { formatDate, formatDateTime, formatPercent } from '#foundation/web/i18n/format.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Facts } from '#foundation/web/ui/facts.tsx'
import { m } from '#texts/messages.js'
import { treatmentTexts } from './vat-texts.ts'

const ChangeVat = lazyPart(() => import('./change-vat.tsx').then((file) => file.ChangeVat))

/**
 * The VAT of a customer elsewhere in the EU: charged or not, and why; shown where a VAT id or a decision of staff makes a
 * difference.
 */
export function CustomerVat({ card }: { card: CustomerCard }) {
  const mayChange = useMay('vat.override')
  const maySee = useMay('invoices.read')
  const change = useLazyDialog(ChangeVat)
  const { withProof, dialog } = useReauthentication()
  const status = useQuery({
    ...queryFor(getCustomerVatStatus, { params: { userId: card.id } }),
    enabled: maySee,
  }).data
  const check = useAct(async (vat_id: string) => {
    const sent = await withProof(() => call(checkCustomerVatId, { params: { userId: card.id } }))
    if (!sent) return
    const [error] = sent.errors
    if (error) toastError(() => errorText(error), sent)
    else toastSuccess(() => m.customers_vat_check_done({ vat_id }))
    refreshQueries(getCustomerVatStatus)
  })
  if (!status) return null
  const { place } = status
  if (status.state === 'not_needed' && !status.override && place.state === 'agreed') return null
  const { vat_id, state, asked_since, checked_at, override } = status
  const answer = status.checks.find((check) => check.vat_id === vat_id && check.verdict !== 'unverified')
  const decision =
    override &&
    m.customers_vat_override_by({
      treatment: treatmentTexts[override.treatment](),
      name: override.by_name ?? '–',
      reason: override.reason,
    })
  const isDoubted = place.state !== 'agreed'
  const fact = (name: string, value: string) => (value ? [{ name, value: <bdi>{value}</bdi> }] : [])
  return (
    <Card
      title={m.customers_vat()}
      actions={
        mayChange && !card.is_staff ? (
          <>
            {isAskable(state) ? (
              <Button pending={check.pending} onClick={() => check.run(vat_id)}>
                {m.customers_vat_check()}
              </Button>
            ) : null}
            <Button {...change.opener}>{m.customers_vat_change()}</Button>
          </>
        ) : null
      }
    >
      <Facts
        facts={[
          ...fact(m.customers_vat_id(), vat_id),
          ...(isDoubted ? placeFacts(place).flatMap(([name, value]) => fact(name, value)) : []),
          ...fact(m.customers_vat_state(), state === 'not_needed' ? '' : vatStateTexts[state]()),
          ...fact(
            m.customers_vat_since(),
            asked_since && state !== 'verified' ? formatDate(asked_since) : '',
          ),
          ...fact(m.customers_vat_checked(), checked_at ? formatDateTime(checked_at) : ''),
          ...fact(m.customers_vat_number(), answer?.consultation_number ?? ''),
          ...fact(
            m.customers_vat_company(),
            answer ? [answer.name, answer.address].filter(Boolean).join(', ') : '',
          ),
          ...fact(
            override && !override.in_force ? m.customers_vat_ended() : m.customers_vat_override(),
            decision && override.treatment !== 'automatic'
              ? override.valid_until
                ? m.customers_vat_override_until({
                    decision,
                    date: formatDate(lastMinute(override.valid_until)),
                  })
                : decision
              : '',
          ),
        ]}
      />
      {dialog}
      {change.open ? <ChangeVat card={card} status={status} {...change.dialog} /> : null}
    </Card>
  )
}

const isAskable = (state: VatStatus['state']): boolean =>
  state !== 'not_needed' && state !== 'other_country' && state !== 'waiting'

/** The facts about a place that is in doubt, and the customer's answer. */
const placeFacts = ({
  place,
  payments,
  network,
  charged,
  vat_rate,
  answer,
}: PlaceStatus): [string, string][] => [
  [m.customers_vat_place(), placeText(place)],
  [m.customers_vat_payments(), placesText(payments)],
  [m.customers_vat_network(), network === null ? '' : placeText(network)],
  [m.customers_vat_charged(), `${placeText(charged)}, ${formatPercent(vat_rate)}`],
  [m.customers_vat_answer(), answer],
]
