import ListChecks from 'lucide-react/icons/list-checks'
import { APPROVAL_CHANGED } from '#features/approvals/contract.ts'
import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'
import { m } from '#texts/messages.js'
import { refreshApprovals } from './hooks.ts'

export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.approvals.pattern,
    page: () => import('./approvals-page.tsx').then((file) => file.ApprovalsPage),
    staffOnly: 'approvals.read',
    menu: { text: m.approvals_title, icon: ListChecks, group: 'money', keys: 'g p' },
  },
]

export const live: readonly LiveReaction[] = [[APPROVAL_CHANGED, refreshApprovals]]
