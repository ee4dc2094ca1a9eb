import { useQuery } from '@tanstack/react-query'
import { answerVatPlace, getVatPlace, type PlaceStatus } from '#features/invoices/contract.ts'
import { placesText, placeText } from '#features/invoices/texts.ts'
import { call } from '#foundation/web/api/call.ts'
import { keepAnswer } from '#foundation/web/api/keep.ts'
import { keyOf, queryFor } from '#foundation/web/api/query.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { formatDate, formatPercent } from '#foundation/web/i18n/format.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { TextAreaField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

type Saved = { country: string; zip: string; city: string; vat_id: string }

/** Asks where somebody lives, while a higher VAT is charged than that of the saved address. */
export function PlaceQuestion({ saved: { country, zip, city, vat_id } }: { saved: Saved }) {
  // The address is part of the key, because the answer depends on it.
  const queryKey = [...keyOf(getVatPlace), country, zip, city, vat_id]
  const status = useQuery({ ...queryFor(getVatPlace), queryKey }).data
  if (!status || status.state === 'agreed') return null
  const { state, place, charged, vat_rate, answer, answered_at } = status
  const rate = formatPercent(vat_rate)
  if (state === 'refused')
    return (
      <Alert tone="warning">
        {m.invoices_place_refused({ place: placeText(place), charged: placeText(charged), rate })}
      </Alert>
    )
  return (
    <Card title={m.invoices_place_title()} description={question(status)}>
      <div className="flex flex-col gap-4">
        <Alert tone="warning">{m.invoices_place_charged({ place: placeText(charged), rate })}</Alert>
        {answered_at === null ? null : (
          <p className="text-sm text-muted">{m.invoices_place_answered({ date: formatDate(answered_at) })}</p>
        )}
        <Answer answer={answer} queryKey={queryKey} />
      </div>
    </Card>
  )
}

function Answer({ answer, queryKey }: { answer: string; queryKey: readonly unknown[] }) {
  const form = useForm(async (fields) => {
    const sent = await call(answerVatPlace, { body: { answer: fields.text('answer') } })
    if (sent.status !== 200) return sent
    keepAnswer(sent, queryKey, sent.body)
    toastSuccess(() => m.invoices_place_sent())
    return undefined
  })
  return (
    <Form form={form} label={m.invoices_place_title()}>
      <TextAreaField
        name="answer"
        label={m.invoices_place_answer()}
        hint={m.invoices_place_answer_hint()}
        rows={3}
        most={1000}
        defaultValue={answer}
        required
      />
      <div>
        <SubmitButton>{m.invoices_place_send()}</SubmitButton>
      </div>
    </Form>
  )
}

/** The one question, with the fact that speaks against the address. */
function question({ place: code, charged, payments, network }: PlaceStatus): string {
  const place = placeText(code)
  const country = code.slice(0, 2)
  const others = payments.filter((paid) => paid !== code && paid !== country)
  if (others.length > 0) return m.invoices_place_paid({ place, countries: placesText(others) })
  if (network !== null && network !== code && network !== country)
    return m.invoices_place_network({ place, countries: placeText(network) })
  return code.length > 2 || charged === country
    ? m.invoices_place_territory({ place })
    : m.invoices_place_alone({ place })
}
