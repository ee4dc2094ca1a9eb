import Users from 'lucide-react/icons/users'
import { paths } from '#features/paths.ts'
import { useStaffMe } from '#features/team/web/staff-me.ts'
import { m } from '#texts/messages.js'
import { NavigationList, type NavigationItem } from './navigation-list.tsx'

const items: readonly (NavigationItem & { needs: string })[] = [
  { to: paths.team(), within: [paths.team()], text: m.team_title, icon: Users, needs: 'team.read' },
]

/** The pages of staff besides the desk, for those who may open them. Customers never load this. */
export function MoreOfStaff() {
  const permissions = useStaffMe(true).data?.permissions ?? []
  return <NavigationList items={items.filter(({ needs }) => permissions.includes(needs))} />
}
