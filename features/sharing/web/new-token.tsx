import { useState } from 'react'
import { TOKEN_DAYS } from '#features/sharing/rules.ts'
import { createToken, listTokens } from '#features/sharing/token-contract.ts'
import { mayActAs, spendMoney } from '#foundation/capability.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { useScope } from './scope-fields.tsx'
import { TokenSecret } from './token-secret.tsx'

/** Makes a token, and shows its secret only here, with a line that tries it. */
export function NewToken({ open, onClose }: DialogProps) {
  const [secret, setSecret] = useState<string>()
  const { withProof, dialog } = useReauthentication()
  return (
    <>
      <Dialog
        open={open}
        onClose={onClose}
        wide={secret !== undefined}
        title={m.sharing_token_new()}
        // The secret is shown this once: no stray key or click takes it away.
        dismissible={secret === undefined}
      >
        {secret === undefined ? (
          <Ask withProof={withProof} onMade={setSecret} onClose={onClose} />
        ) : (
          <TokenSecret secret={secret} path="/api/hosts/" onClose={onClose} />
        )}
      </Dialog>
      {dialog}
    </>
  )
}

type AskProps = Pick<ReturnType<typeof useReauthentication>, 'withProof'> & {
  onMade: (secret: string) => void
  onClose: () => void
}

function Ask({ withProof, onMade, onClose }: AskProps) {
  const { role, fields: scopeFields, scopeIn } = useScope()
  const form = useForm(async (fields) => {
    const { scope, errors } = scopeIn(fields)
    if (errors.length > 0) return { errors }
    const ends = ENDS.find((one) => one === fields.text('ends')) ?? '90'
    const body = { name: fields.text('name'), ...scope, ends }
    const answer = await withProof(() => call(createToken, { body }))
    if (!answer) return undefined
    if (answer.status !== 201) return answer
    refreshQueries(listTokens)
    onMade(answer.body.secret)
    return undefined
  })
  const ends = mayActAs(role, spendMoney) ? TOKEN_DAYS : ENDS
  return (
    <DialogForm form={form} act={m.sharing_token_make()} onClose={onClose}>
      <TextField
        name="name"
        label={m.sharing_token_name()}
        hint={m.sharing_token_name_hint()}
        autoComplete="off"
        required
      />
      {scopeFields}
      <SelectField
        name="ends"
        label={m.sharing_token_end()}
        defaultValue="90"
        options={ends.map((value) => ({
          value,
          label: value === 'unused' ? m.sharing_token_unused() : m.sharing_token_days({ days: value }),
        }))}
      />
    </DialogForm>
  )
}

const ENDS = [...TOKEN_DAYS, 'unused'] as const
