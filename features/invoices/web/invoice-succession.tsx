import type { Invoice } from '#features/invoices/contract.ts'
import { documentText } from '#features/invoices/texts.ts'
import { paths } from '#features/paths.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { m } from '#texts/messages.js'

/** Links between an invoice and the invoice that replaces it. They are not printed: a note of the newer invoice names the older one. */
export function InvoiceSuccession({ invoice: { replaces, replaced_by } }: { invoice: Invoice }) {
  return (
    <>
      {replaced_by ? (
        <Notice tone="warning" sentence={m.invoices_was_replaced()} other={replaced_by} />
      ) : null}
      {replaces ? <Notice tone="neutral" sentence={m.invoices_is_replacement()} other={replaces} /> : null}
    </>
  )
}

type Props = {
  tone: 'warning' | 'neutral'
  sentence: string
  other: NonNullable<Invoice['replaces']>
}

const Notice = ({ tone, sentence, other: { id, number } }: Props) => (
  <div className="print:hidden">
    <Alert tone={tone}>
      {sentence}{' '}
      <TextLink to={paths.invoice(id)}>
        {`${documentText({ kind: 'invoice', cancels: false })} ${number}`}
      </TextLink>
    </Alert>
  </div>
)
