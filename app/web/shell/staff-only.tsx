import { Outlet } from '@tanstack/react-router'
import { useProfile } from '#features/profile/web/hooks.ts'
import { StaffGate } from '#features/team/web/staff-gate.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { NoAccessPage } from './no-page.tsx'

/** The server refuses others anyway; this keeps them from an empty page full of refusals. */
export function StaffOnly() {
  const { data: person } = useProfile()
  if (!person) {
    return (
      <Loading>
        <Page title="">
          <Skeleton className="h-64" />
        </Page>
      </Loading>
    )
  }
  if (!person.is_staff) return <NoAccessPage />
  return (
    <StaffGate>
      <Outlet />
    </StaffGate>
  )
}
