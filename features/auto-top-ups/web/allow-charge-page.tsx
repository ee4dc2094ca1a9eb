import SearchX from 'lucide-react/icons/search-x'
import { allowAutoTopUpRun, type AutoTopUpRun } from '#features/auto-top-ups/contract.ts'
import { runStateText } from '#features/auto-top-ups/texts.ts'
import { leaveFor } from '#features/finance/web/finance.ts'
import { paths } from '#features/paths.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { call } from '#foundation/web/api/call.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { ButtonLink, usePathValue } from '#foundation/web/navigation.tsx'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { ErrorPage } from '#foundation/web/ui/error-page.tsx'
import { LoadedPage } from '#foundation/web/ui/loaded.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { useAct } from '#foundation/web/use-act.ts'
import { m } from '#texts/messages.js'
import { refreshAutoTopUp, useRun } from './hooks.ts'

/** The page on which a customer goes on to allow a charge that the bank wants allowed; the mail about it leads here. */
export function AllowChargePage() {
  const query = useRun(usePathValue('runId'))
  return (
    <LoadedPage
      query={query}
      title={m.auto_top_ups_pay_title()}
      failed={m.auto_top_ups_pay_failed()}
      waiting="h-40"
      gone={
        <ErrorPage
          icon={<SearchX size={22} aria-hidden="true" />}
          title={m.auto_top_ups_pay_done()}
          text={m.auto_top_ups_pay_failed()}
        >
          <ButtonLink to={paths.finances()}>{m.auto_top_ups_pay_back()}</ButtonLink>
        </ErrorPage>
      }
    >
      {(run) => (
        <Page title={m.auto_top_ups_pay_title()}>
          <Run run={run} />
        </Page>
      )}
    </LoadedPage>
  )
}

function Run({ run }: { run: AutoTopUpRun }) {
  const amount = formatMoney(run.amount)
  const allow = useAct(async () => {
    const answer = await call(allowAutoTopUpRun, { params: { runId: run.id } })
    if (answer.status === 200) return leaveFor(answer.body.redirect_url)
    refreshAutoTopUp()
    toastError(() => m.auto_top_ups_pay_failed(), answer)
  })
  const back = <ButtonLink to={paths.finances()}>{m.auto_top_ups_pay_back()}</ButtonLink>
  if (run.state !== 'action_needed')
    return (
      <Card title={m.auto_top_ups_pay_done()} footer={back}>
        <p className="text-sm">{m.auto_top_ups_pay_done_text({ amount, state: runStateText(run.state) })}</p>
      </Card>
    )
  return (
    <Card
      title={m.auto_top_ups_waits_title({ amount })}
      footer={
        <>
          {back}
          {onlyReads() ? null : (
            <Button look="primary" pending={allow.pending} onClick={allow.run}>
              {m.auto_top_ups_waits_go()}
            </Button>
          )}
        </>
      }
    >
      <p className="text-sm">
        {m.auto_top_ups_waits_text({ until: run.act_until === null ? '' : formatDateTime(run.act_until) })}
      </p>
    </Card>
  )
}
