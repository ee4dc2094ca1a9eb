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
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Copyable } from '#foundation/web/ui/copyable.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { useScope } from './scope-fields.tsx'

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
          <Secret secret={secret} onClose={onClose} />
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

function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const line = `curl -H 'Authorization: Bearer ${secret}' ${window.location.origin}/api/hosts/`
  return (
    <div className="flex flex-col gap-4 text-sm">
      <Copyable label={m.sharing_token_secret()} text={secret} />
      <Copyable label={m.sharing_token_try()} text={line} />
      <Alert tone="warning">{m.sharing_token_once()}</Alert>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {m.sharing_token_kept()}
        </Button>
      </DialogActions>
    </div>
  )
}
