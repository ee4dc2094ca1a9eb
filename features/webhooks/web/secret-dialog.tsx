import { useState, type ComponentProps } from 'react'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { useForm } from '#foundation/web/form/use-form.ts'
import {
  useReauthentication,
  type Reauthentication,
} from '#foundation/web/reauthentication/reauthentication.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { ShownOnce } from '#foundation/web/ui/shown-once.tsx'
import { m } from '#texts/messages.js'

type Act = Parameters<typeof useForm>[0]
type Made = { secret: string }

type Props = Pick<
  ComponentProps<typeof Dialog>,
  'open' | 'onClose' | 'title' | 'description' | 'children'
> & {
  act: string
  /** Makes the secret, by a call with a proof. Returns the refusal if there is one, or undefined if the person gave none. */
  make: (
    withProof: Reauthentication['withProof'],
    typed: FormFields,
  ) => Promise<Made | Awaited<ReturnType<Act>>>
}

/** A form that makes a secret of an endpoint, and shows it only here. */
export function SecretDialog({ act, make, onClose, children, ...dialog }: Props) {
  const [secret, setSecret] = useState<string>()
  const { withProof, dialog: proof } = useReauthentication()
  const form = useForm(async (typed) => {
    const made = await make(withProof, typed)
    if (!made || !('secret' in made)) return made
    return setSecret(made.secret)
  })
  return (
    <>
      {/* The secret is shown this once: no stray key or click takes it away. */}
      <Dialog {...dialog} onClose={onClose} dismissible={secret === undefined}>
        {secret === undefined ? (
          <DialogForm form={form} act={act} onClose={onClose}>
            {children}
          </DialogForm>
        ) : (
          <ShownOnce
            lines={[{ label: m.webhooks_secret(), text: secret }]}
            warning={m.webhooks_secret_once()}
            kept={m.webhooks_secret_kept()}
            onClose={onClose}
          />
        )}
      </Dialog>
      {proof}
    </>
  )
}
