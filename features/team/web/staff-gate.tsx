import { propertyOf } from '#foundation/web/property.ts'
import ShieldAlert from 'lucide-react/icons/shield-alert'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { useEffect, type ReactNode } from 'react'
import { paths } from '#features/paths.ts'
import { getStaffMe } from '#features/team/contract.ts'
import { CallError, queryClient, refreshQueries } from '#foundation/web/api/query.ts'
import { ButtonLink } from '#foundation/web/navigation.tsx'
import { findFactors } from '#foundation/web/reauthentication/methods.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { ErrorPage } from '#foundation/web/ui/error-page.tsx'
import { Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'
import { useStaffMe } from './team.ts'

/** Shows a page of staff, or what is missing to open it: another network, a second factor, a fresh code. */
export function StaffGate({ children }: { children: ReactNode }) {
  const query = useStaffMe(true)
  const { data, error, refetch } = query
  useStaffMeAfterRefusals()
  if (isRefusedBy(error, 'network_not_allowed')) return <NetworkPage onRetry={() => void refetch()} />
  if (data?.two_factor === 'missing') return <TwoFactorPage />
  if (data?.two_factor === 'stale') return <StalePage />
  return (
    <Loaded
      query={query}
      failed={m.team_me_failed()}
      waiting={
        <Page title="">
          <Skeleton className="h-64" />
        </Page>
      }
    >
      {() => children}
    </Loaded>
  )
}

function NetworkPage({ onRetry }: { onRetry: () => void }) {
  return (
    <ErrorPage
      icon={<ShieldAlert size={22} aria-hidden="true" />}
      title={m.team_network()}
      text={m.team_network_text()}
    >
      <Button onClick={onRetry}>{m.ui_retry()}</Button>
      <ButtonLink to={paths.hosts()}>{m.shell_home()}</ButtonLink>
    </ErrorPage>
  )
}

function TwoFactorPage() {
  return (
    <ErrorPage
      icon={<ShieldAlert size={22} aria-hidden="true" />}
      title={m.team_two_factor()}
      text={m.team_two_factor_text()}
    >
      <ButtonLink to={paths.security()}>{m.team_two_factor_set_up()}</ButtonLink>
    </ErrorPage>
  )
}

function StalePage() {
  const { reauthenticate, dialog } = useReauthentication()
  const prove = async () => {
    if (await reauthenticate(await findFactors())) refreshQueries(getStaffMe)
  }
  return (
    <>
      <ErrorPage
        icon={<ShieldCheck size={22} aria-hidden="true" />}
        title={m.reauthentication_title()}
        text={m.team_stale_text()}
      >
        <Button look="primary" onClick={() => void prove()}>
          {m.reauthentication_confirm()}
        </Button>
      </ErrorPage>
      {dialog}
    </>
  )
}

const isRefusedBy = (error: unknown, ...codes: string[]) =>
  error instanceof CallError && error.answer.errors.some(({ code }) => codes.includes(code))

/** Reloads the member's rights after a refused call: an open page learns in this way that a right has ended. */
function useStaffMeAfterRefusals(): void {
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe(({ type, query }) => {
        const path = propertyOf(query.queryKey, '0')
        const error: unknown = query.state.error
        const isNew = type === 'updated' && path !== getStaffMe.path && query.state.fetchStatus === 'idle'
        if (isNew && isRefusedBy(error, ...ofStaff)) refreshQueries(getStaffMe)
      }),
    [],
  )
}

const ofStaff = ['network_not_allowed', 'two_factor_required', 'reauthentication_required']
