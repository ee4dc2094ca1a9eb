import { paths } from '#features/paths.ts'
import { useState } from 'react'
import { requestReset } from '#features/auth/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { EmailField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { AuthView } from './auth-frame.tsx'
import { callWithoutStaleSession, toFormError } from './hooks.ts'

/**
 * The form that asks for a link to set another password (row A-05). Neither the answer nor the page reveals whether the address is known.
 */
export function Forgotten({ email }: { email: string }) {
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm(async (fields) => {
    const address = fields.text('email')
    const answer = await callWithoutStaleSession(() => call(requestReset, { body: { email: address } }))
    if (answer.status === 429) return { errors: [{ code: 'too_many_reset_requests' }] }
    if (answer.status !== 200) return toFormError(answer, m.auth_reset_request_failed)
    setSentTo(address)
    return undefined
  })
  return (
    <AuthView
      title={m.auth_forgotten_title()}
      description={m.auth_forgotten_text()}
      footer={<TextLink to={paths.signIn()}>{m.auth_back_to_sign_in()}</TextLink>}
    >
      <Form form={form}>
        {sentTo === undefined ? null : (
          <Alert tone="success" live>
            {m.auth_reset_sent({ email: sentTo })}
          </Alert>
        )}
        <EmailField
          name="email"
          label={m.auth_email()}
          autoComplete="username"
          defaultValue={email}
          required
        />
        <SubmitButton wide>{m.auth_send_link()}</SubmitButton>
      </Form>
    </AuthView>
  )
}
