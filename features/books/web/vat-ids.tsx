import { useInfiniteQuery } from '@tanstack/react-query'
import { vatStateTexts } from '#features/customers/texts.ts'
import { checkCustomerVatId, listVatIds, type OpenVatId } from '#features/invoices/contract.ts'
import { paths } from '#features/paths.ts'
import { useMay } from '#features/team/web/team.ts'
import { call } from '#foundation/web/api/call.ts'
import { pagedQueryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { WaitingSection } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'

/** The customers who are charged VAT although they have entered a VAT id; shows nothing if there are none. */
export function VatIds() {
  const pages = useInfiniteQuery(pagedQueryFor(listVatIds, { query: { limit: '5' } }))
  const mayCheck = useMay('vat.override')
  const { withProof, dialog } = useReauthentication()
  const check = async ({ customer, vat_id }: OpenVatId) => {
    const sent = await withProof(() => call(checkCustomerVatId, { params: { userId: customer.id } }))
    if (!sent) return
    const [error] = sent.errors
    if (error) toastError(() => errorText(error), sent)
    else toastSuccess(() => m.customers_vat_check_done({ vat_id }))
    refreshQueries(listVatIds)
  }
  return (
    <>
      <WaitingSection pages={pages} title={m.books_vat_ids()} text={m.books_vat_ids_text()}>
        {(open) => (
          <List label={m.books_vat_ids()}>
            {open.map((one) => (
              <Row
                key={one.customer.id}
                open={one}
                onCheck={mayCheck && one.state !== 'other_country' ? () => void check(one) : undefined}
              />
            ))}
          </List>
        )}
      </WaitingSection>
      {dialog}
    </>
  )
}

type Props = { open: OpenVatId; onCheck: (() => void) | undefined }

const Row = ({ open: { customer, country, vat_id, state, asked_since }, onCheck }: Props) => (
  <ListRow
    title={
      <TextLink to={paths.customer(customer.id)}>
        <bdi>{customer.name}</bdi>
      </TextLink>
    }
    badge={<Badge tone={state === 'asking' ? 'neutral' : 'warning'}>{vatStateTexts[state]()}</Badge>}
    detail={[vat_id, country, asked_since && m.books_vat_ids_since({ date: formatDate(asked_since) })]
      .filter(Boolean)
      .join(' · ')}
    actions={
      onCheck ? (
        <Button size="small" onClick={onCheck}>
          {m.customers_vat_check()}
        </Button>
      ) : null
    }
  />
)
