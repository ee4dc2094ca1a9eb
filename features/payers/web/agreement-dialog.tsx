import { acceptAgreement, declineAgreement, type Agreement } from '#features/payers/contract.ts'
import { useHostsByName } from '#features/hosts/web/hosts.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { typedAmount, typedLimit } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toast, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { CheckList, checkedIn } from '#foundation/web/ui/check-list.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import { factsOf } from './agreement-facts.ts'
import { refreshAgreements, useCurrency } from './hooks.ts'
import { PaidHosts } from './agreement-hosts.tsx'
import { LimitField, wrongLimit } from './limit-field.tsx'
import { otherSide, waitsForMe } from './names.ts'

type Props = DialogProps & { agreement: Agreement }

/** An agreement with its servers and next charges: to read, accept or decline. */
export function AgreementDialog(props: Props) {
  const { agreement, open, onClose } = props
  if (waitsForMe(agreement)) return <Review {...props} />
  return (
    <Dialog open={open} onClose={onClose} title={otherSide(agreement)}>
      <PaidHosts agreement={agreement} />
      <DialogActions>
        <Button onClick={onClose}>{m.ui_close()}</Button>
      </DialogActions>
    </Dialog>
  )
}

function Review({ agreement, open, onClose }: Props) {
  const { id, side, all_hosts, state, version, month_limit } = agreement
  const isPayer = side === 'payer'
  const currency = useCurrency()
  const pages = useHostsByName()
  const { withProof, dialog } = useReauthentication()
  const chooses = !isPayer && !all_hosts
  const setsLimit = isPayer && state === 'offered'
  const form = useForm(
    async (fields) => {
      const limit = setsLimit ? typedLimit(fields.text('month_limit'), currency) : null
      if (limit === undefined) return { errors: [wrongLimit] }
      const body = {
        version,
        ...(setsLimit && { month_limit: limit }),
        ...(chooses && { host_ids: checkedIn(pages, fields) }),
      }
      const answer = await withProof(() => call(acceptAgreement, { params: { agreementId: id }, body }))
      refreshAgreements()
      if (!answer || answer.status === 200) {
        if (answer) toastSuccess(m.payers_accepted)
        if (answer) onClose()
        return undefined
      }
      // The agreement changed meanwhile: the list loads it again and shows its present terms.
      if (answer.errors[0]?.code === 'changed') {
        toast({ type: 'error', message: () => m.payers_changed_meanwhile(), closeable: true })
        onClose()
        return undefined
      }
      return answer
    },
    { about: id },
  )
  const name = otherSide(agreement)
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={isPayer ? m.payers_review_title({ name }) : m.payers_review_owner_title({ name })}
      description={isPayer ? m.payers_review_text() : m.payers_review_owner_text({ name })}
      form={form}
      act={m.payers_accept()}
      back={<Decline id={id} onDone={onClose} />}
      proof={dialog}
    >
      {isPayer ? (
        <PaidHosts agreement={agreement} />
      ) : (
        <p className="text-sm">{factsOf(agreement).join(' · ')}</p>
      )}
      {chooses ? (
        <CheckList
          legend={m.payers_which()}
          query={pages}
          failed={m.payers_failed()}
          none={m.payers_no_hosts()}
        />
      ) : null}
      {setsLimit ? (
        <LimitField
          currency={currency}
          hint={m.payers_limit_hint()}
          defaultValue={month_limit === null ? '' : typedAmount(month_limit)}
        />
      ) : null}
    </FormDialog>
  )
}

function Decline({ id, onDone }: { id: string; onDone: () => void }) {
  const decline = useAct(async () => {
    const answer = await call(declineAgreement, { params: { agreementId: id } })
    refreshAgreements()
    const [error] = answer.errors
    if (error) toast({ type: 'error', message: () => errorText(error), closeable: true })
    else toastSuccess(m.payers_declined)
    onDone()
  })
  return (
    <Button pending={decline.pending} onClick={decline.run}>
      {m.payers_decline()}
    </Button>
  )
}
