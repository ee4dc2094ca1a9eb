import { decideApproval, type Approval } from '#features/approvals/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { errorText, loadErrorTexts } from '#foundation/web/i18n/error-text.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { textOfAct } from './approval-texts.ts'
import { refreshApprovals } from './hooks.ts'
import { codeOf } from './failure.ts'

type Props = DialogProps & { approval: Approval; decision: 'approve' | 'refuse' }

/** The dialog that approves or refuses an action, with a note for the colleague who asks, and a fresh proof if the server asks for one. */
export function Decide({ open, onClose, approval, decision }: Props) {
  const { withProof, dialog } = useReauthentication()
  const form = useForm(
    async (fields) => {
      const body = { decision, note: fields.text('note') }
      const answer = await withProof(() => call(decideApproval, { params: { id: approval.id }, body }))
      if (!answer) return undefined
      if (answer.status !== 200) {
        // Another member may have decided first: the refreshed list shows the outcome.
        refreshApprovals()
        return answer
      }
      await sayDecided(answer.body)
      refreshApprovals()
      return onClose()
    },
    { about: approval.id },
  )
  const { title, text, textOfRights, textOfNobody, act, look } = texts[decision]
  const { customer } = approval
  const what = textOfAct(approval)
  // Only the text for actions with an amount promises the customer a mail.
  const says = approval.amount ? text : textOfRights
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={title()}
      description={
        customer ? says({ what, customer: m.approvals_for({ name: customer.name }) }) : textOfNobody({ what })
      }
      form={form}
      act={act()}
      look={look}
      proof={dialog}
    >
      <TextField
        name="note"
        label={m.approvals_note()}
        hint={m.approvals_note_hint()}
        most={500}
        autoComplete="off"
      />
    </FormDialog>
  )
}

const texts = {
  approve: {
    title: m.approvals_approve_title,
    text: m.approvals_approve_text,
    textOfRights: m.approvals_approve_text_rights,
    textOfNobody: m.approvals_approve_own_text,
    act: m.approvals_approve,
    look: 'primary',
  },
  refuse: {
    title: m.approvals_refuse_title,
    text: m.approvals_refuse_text,
    textOfRights: m.approvals_refuse_text_rights,
    textOfNobody: m.approvals_refuse_own_text,
    act: m.approvals_refuse,
    look: 'danger',
  },
} as const

async function sayDecided({ status, failure }: Approval): Promise<void> {
  if (status === 'failed') {
    await loadErrorTexts()
    const reason = errorText({ code: failure === null ? 'unknown' : codeOf(failure) })
    toastError(() => m.approvals_failed_done({ reason }))
  } else toastSuccess(status === 'approved' ? m.approvals_approved_done : m.approvals_refused_done)
}
