import { paths } from '#features/paths.ts'
import { withdrawApproval, type Approval } from '#features/approvals/contract.ts'
import { useMay } from '#features/team/web/team.ts'
import { call } from '#foundation/web/api/call.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { formatDateTime, relativeTime } from '#foundation/web/i18n/format.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { textOfAct, causeTexts, linkTexts, previewTexts } from './approval-texts.ts'
import { refreshApprovals } from './hooks.ts'

type Props = {
  approval: Approval
  onDecide: (approval: Approval, decision: 'approve' | 'refuse') => void
}

/** The row of a waiting action: what it would do, who asked, why it needs a second person, and the buttons that the reader may use. */
export function WaitingRow({ approval, onDecide }: Props) {
  const { id, customer, proposed_by, proposed_at, expires_at, reason } = approval
  const isMine = proposed_by.id === storedSession.user()?.id
  const title = `approval-${id}`
  const asked = relativeTime(proposed_at)
  return (
    <li aria-labelledby={title} className="rounded-lg border border-line bg-surface p-5">
      <h3 id={title} className="font-semibold [overflow-wrap:anywhere]">
        <span>{textOfAct(approval)}</span>{' '}
        {customer ? (
          <TextLink data-row to={paths.customer(customer.id)}>
            <bdi>{m.approvals_for({ name: customer.name })}</bdi>
          </TextLink>
        ) : null}
      </h3>
      <p className="mt-1 text-sm text-muted">
        {isMine
          ? m.approvals_asked_by_you({ time: asked })
          : m.approvals_asked_by({ name: proposed_by.name, time: asked })}
        {' · '}
        {m.approvals_expires({ time: formatDateTime(expires_at) })}
      </p>
      <dl className="mt-4 grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2">
        <Fact name={m.approvals_what_happens()} lines={previewTexts(approval)} />
        <Fact name={m.approvals_why()} lines={whyLines(approval)} />
        <Fact
          name={approval.amount && customer ? m.approvals_reason() : m.approvals_mail_reason()}
          lines={reason === '' ? [] : [reason]}
        />
      </dl>
      <div className="mt-4 flex flex-wrap gap-2">
        {isMine ? <Withdraw id={id} /> : <Decisions approval={approval} onDecide={onDecide} />}
      </div>
    </li>
  )
}

const whyLines = ({ why, links }: Approval) => [causeTexts[why](), ...links.map((link) => linkTexts[link]())]

function Fact({ name, lines }: { name: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <div>
      <dt className="text-muted">{name}</dt>
      {lines.map((line) => (
        <dd key={line} dir="auto" className="[overflow-wrap:anywhere]">
          {line}
        </dd>
      ))}
    </div>
  )
}

const barText = ({ until }: NonNullable<Approval['barred']>): string =>
  until === null ? m.error_linked_with_proposer() : m.approvals_barred_until({ time: formatDateTime(until) })

function Decisions({ approval, onDecide }: Props) {
  const mayDecide = useMay('approvals.decide')
  const mayAct = useMay(approval.act)
  if (!mayDecide) return null
  if (approval.barred) return <p className="text-sm text-muted">{barText(approval.barred)}</p>
  if (!mayAct) return <p className="text-sm text-muted">{m.approvals_not_yours()}</p>
  return (
    <>
      <Button look="primary" onClick={() => onDecide(approval, 'approve')}>
        {m.approvals_approve()}
      </Button>
      <Button onClick={() => onDecide(approval, 'refuse')}>{m.approvals_refuse()}</Button>
    </>
  )
}

function Withdraw({ id }: { id: string }) {
  const withdraw = useAct(async () => {
    const answer = await call(withdrawApproval, { params: { id } })
    if (answer.status === 204) toastSuccess(m.approvals_withdrawn_done)
    else toastError(m.approvals_title, answer)
    refreshApprovals()
  })
  return (
    <Button pending={withdraw.pending} onClick={withdraw.run}>
      {m.approvals_withdraw()}
    </Button>
  )
}
