import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'

/** The list of tickets leads to this page. */
export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.answerTimes.pattern,
    page: () => import('./answer-times-page.tsx').then((file) => file.AnswerTimesPage),
    staffOnly: 'tickets.desk',
  },
]
