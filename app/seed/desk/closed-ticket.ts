import type { Face } from '#features/support/ratings/rules.ts'
import type { Priority, Topic } from '#features/support/tickets/rules.ts'
import type { Customer } from '../ticket-events.ts'

/** A question with its answer. */
export type Closed = {
  who: Customer
  by: 'olivia' | 'jonas'
  days: number
  /** The minutes until the answer, and until the end. */
  took: readonly [number, number]
  topic: Topic
  priority?: Priority
  subject: string
  asked: string
  answered: string
  thanks?: string
  rated?: readonly [Face, string?]
}
