import { lengths } from '#features/support/desk/rules.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { endAbsence, returnMyTickets, setAbsence } from './absence-hooks.ts'
import { useAbsence } from './away.ts'

/** The dialog in which a member of staff says until when they are away, and whether their open tickets go back to the queue. */
export function AbsenceDialog({ open, onClose }: DialogProps) {
  const present = useAbsence()
  const form = useForm(async (fields) => {
    const note = fields.text('note').trim()
    const answer = await setAbsence({
      until: fields.text('until'),
      from: present?.until ?? null,
      ...(note === '' ? {} : { note }),
    })
    if (answer.status !== 200) return answer
    toastSuccess(m.desk_away_saved)
    onClose()
    if (fields.checked('returns')) await returnMyTickets()
    return undefined
  })
  const back = useAct(async () => {
    const answer = await endAbsence()
    if (answer.status === 204) {
      toastSuccess(m.desk_away_ended)
      onClose()
    } else toastError(m.desk_away_failed, answer)
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.desk_away_title()}
      form={form}
      act={m.ui_save()}
      {...(present && {
        back: (
          <Button pending={back.pending} onClick={back.run}>
            {m.desk_away_end()}
          </Button>
        ),
      })}
    >
      <TextField
        name="until"
        type="date"
        label={m.desk_away_until()}
        defaultValue={present?.until}
        required
      />
      <TextField
        name="note"
        label={m.desk_away_note()}
        hint={m.desk_away_note_hint()}
        most={lengths.absence}
        defaultValue={present?.note}
        autoComplete="off"
      />
      <CheckboxField name="returns" label={m.desk_away_returns()} hint={m.desk_away_returns_hint()} />
    </FormDialog>
  )
}
