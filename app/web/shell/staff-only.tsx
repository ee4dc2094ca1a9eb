import { Outlet } from '@tanstack/react-router'
import { useProfile } from '#features/profile/web/hooks.ts'
import { StaffGate } from '#features/team/web/staff-gate.tsx'
import { useStaffMe } from '#features/team/web/team.ts'
import { Page } from '#foundation/web/ui/page.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { NoAccessPage } from './no-page.tsx'

/** Shows a page of staff only to people who may see it. The server refuses all others anyway, but they would see a page full of errors. */
export function StaffOnly({ needs }: { needs: true | string }) {
  const { data: person } = useProfile()
  const { data: me } = useStaffMe(person?.is_staff ?? false)
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
    <StaffGate>{needs === true || me?.permissions.includes(needs) ? <Outlet /> : <NoAccessPage />}</StaffGate>
  )
}
