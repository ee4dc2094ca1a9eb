import { useState } from 'react'
import type { HeldMail } from '#features/support/mail/contract.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { useAct } from '#foundation/web/use-act.ts'
import { m } from '#texts/messages.js'
import { decideHeld } from './hooks.ts'

/** The buttons for a held mail. Blocking asks once more: all later mails of this sender are dropped. */
export function HeldActs({ mail: { id, can_post, can_block, ticket } }: { mail: HeldMail }) {
  const [attaching, setAttaching] = useState(false)
  const [blocking, setBlocking] = useState(false)
  const act = useAct(async (kind: 'post' | 'discard' | 'block', done: () => string) => {
    const answer = await decideHeld(id, { act: kind })
    if (answer.status === 200) toastSuccess(done)
    else toastError(m.mail_in_act_failed, answer)
  })
  return (
    <div className="flex flex-wrap gap-2">
      {can_post ? (
        <Button look="primary" pending={act.pending} onClick={() => act.run('post', m.mail_in_posted)}>
          {m.mail_in_post()}
        </Button>
      ) : null}
      <Button onClick={() => setAttaching(true)}>{m.mail_in_attach()}</Button>
      <Button pending={act.pending} onClick={() => act.run('discard', m.mail_in_discarded)}>
        {m.mail_in_discard()}
      </Button>
      {!can_block ? null : blocking ? (
        <>
          <Button look="danger" pending={act.pending} onClick={() => act.run('block', m.mail_in_blocked)}>
            {m.mail_in_block_sure()}
          </Button>
          <Button look="quiet" onClick={() => setBlocking(false)}>
            {m.ui_cancel()}
          </Button>
        </>
      ) : (
        <Button look="quiet" onClick={() => setBlocking(true)}>
          {m.mail_in_block()}
        </Button>
      )}
      <AttachDialog
        mailId={id}
        number={ticket?.number}
        open={attaching}
        onClose={() => setAttaching(false)}
      />
    </div>
  )
}

type AttachProps = { mailId: string; number: number | undefined; open: boolean; onClose: () => void }

/** Asks for the number of the ticket into which the mail goes as an internal note. */
function AttachDialog({ mailId, number, open, onClose }: AttachProps) {
  const form = useForm(
    async (fields) => {
      const typed = Number(fields.text('number').replace('#', ''))
      const answer = await decideHeld(mailId, { act: 'attach', number: typed })
      if (answer.status !== 200) return answer
      toastSuccess(m.mail_in_attached)
      onClose()
      return undefined
    },
    { about: mailId },
  )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.mail_in_attach_title()}
      form={form}
      act={m.mail_in_attach_act()}
    >
      <TextField
        name="number"
        label={m.mail_in_attach_number()}
        hint={m.mail_in_attach_hint()}
        inputMode="numeric"
        defaultValue={number === undefined ? '' : String(number)}
        required
      />
    </FormDialog>
  )
}
