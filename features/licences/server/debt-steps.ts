/** A step of a debt. `day` counts from the beginning of the debt. */
export type DebtStep = { day: number; does: 'mail' | 'suspend' }

type Debt = {
  began_at: Date
  /** Null if the debt never suspends anything. */
  suspend_after_days: number | null
  done_day: number | null
  last_step_at: Date | null
}

const REMINDERS = [0, 3, 6]
const DAY_MS = 86_400_000

/** The least time between two steps: after an outage there is time to pay between a mail and the suspension that it threatens. */
const APART_MS = DAY_MS / 2

const stepsOf = ({ suspend_after_days: days, done_day }: Debt): DebtStep[] =>
  [
    ...REMINDERS.filter((day) => days === null || day < days).map((day) => ({ day, does: 'mail' as const })),
    ...(days === null ? [] : [{ day: days, does: 'suspend' as const }]),
  ].filter(({ day }) => done_day === null || day > done_day)

const dayOf = (debt: Debt, day: number): number => debt.began_at.getTime() + day * DAY_MS

const earliest = ({ last_step_at }: Debt): number => (last_step_at ? last_step_at.getTime() + APART_MS : 0)

/** The step that is due `now`; if several steps are due, as after an outage, only the last one. */
export function dueStep(debt: Debt, now: Date): DebtStep | undefined {
  if (earliest(debt) > now.getTime()) return undefined
  return stepsOf(debt).findLast(({ day }) => dayOf(debt, day) <= now.getTime())
}

/** The time at which the next step is due; null if none is left. */
export function nextStepAt(debt: Debt): Date | null {
  const [next] = stepsOf(debt)
  return next ? new Date(Math.max(dayOf(debt, next.day), earliest(debt))) : null
}

/** The time of the suspension, which the mails about the debt name; null for never. */
export const suspendsAt = (debt: Debt): Date | null =>
  debt.suspend_after_days === null
    ? null
    : new Date(Math.max(dayOf(debt, debt.suspend_after_days), earliest(debt)))
