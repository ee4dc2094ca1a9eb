import { addAddress } from '#features/profile/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Card } from '#foundation/web/ui/card.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { EmailField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshAddresses, useAddresses } from './settings-hooks.ts'
import { EmailAddressRow } from './email-address-row.tsx'

/** The addresses of the account with their marks (proven, primary), and a form that adds an address. */
export function EmailAddresses() {
  const query = useAddresses()
  return (
    <Card title={m.profile_emails()} description={m.profile_emails_text()}>
      <Loaded query={query} failed={m.profile_email_failed()} waiting="h-14">
        {(data) => (
          <div className="flex flex-col gap-5">
            <ul aria-label={m.profile_emails()} className="ruled border-y border-line">
              {data.data.map((address) => (
                <EmailAddressRow key={address.email} address={address} />
              ))}
            </ul>
            <AddAddress />
          </div>
        )}
      </Loaded>
    </Card>
  )
}

function AddAddress() {
  const { withProof, dialog } = useReauthentication()
  const form = useForm(async (fields, element) => {
    const email = fields.text('email').trim()
    const answer = await withProof(() => call(addAddress, { body: { email } }))
    // The customer cancelled the proof of identity: nothing has happened, and the typed address stays.
    if (!answer) return undefined
    if (answer.status !== 200) return answer
    await refreshAddresses()
    toastSuccess(() => m.profile_email_added({ email }))
    element.reset()
    return undefined
  })
  return (
    <>
      <Form form={form} label={m.profile_email_add()}>
        <EmailField
          name="email"
          label={m.profile_email()}
          hint={m.profile_email_add_hint()}
          required
          autoComplete="off"
        />
        <div>
          <SubmitButton look="secondary">{m.profile_email_add()}</SubmitButton>
        </div>
      </Form>
      {dialog}
    </>
  )
}
