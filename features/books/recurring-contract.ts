import * as z from 'zod/mini'
import { translated } from '#foundation/fields.ts'
import { route } from '#foundation/contract.ts'
import { money } from '#foundation/money.ts'
import { count, named, uuidText } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import { terms } from '#features/licences/rules.ts'
import { answered, months, readPermission } from './contract.ts'

/** Recurring revenue with customers won and lost, by month, plan and customer. */

/** Net prices of the running paid terms, each by month: without trials, less refunds; vouchers are money and lower nothing. */
const recurring = { licences: count(), mrr: money }

const recurringOfMonth = z.strictObject({
  month: z.string(),
  ...recurring,
  /** Twelve times `mrr`. */
  yearly: money,
  /** Accounts that pay for a licence, or did within 7 days before. */
  customers: count(),
  /** Customers whose first paid term began in the month. */
  joined: count(),
  /** Customers who bought again after more than 7 days without a licence. */
  returned: count(),
  /** Customers whose last paid term ended in the month, with none within 7 days after. */
  lost: count(),
  /** False while a renewal may still count for the month. A refund lowers also months that are final; a whole one takes its term out of all. */
  is_final: z.boolean(),
})

export const getRecurring = route({
  id: 'getRecurring',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/books/recurring/',
  access: staff(readPermission),
  fromReplica: true,
  summary: 'Recurring revenue, and customers won and lost, by month',
  description:
    'At the end of each month, or now: the net of running paid terms by month (MRR), twelve times that (ARR), licences and those who pay for them; with the plans and the 20 best customers at the end of the last month. 24 months at most, and the last 24 if none are named. A later refund lowers all months of its term, those that are final, too',
  query: months,
  replies: {
    200: z.strictObject({
      ...answered,
      months: z.array(recurringOfMonth),
      plans: z.array(
        z.strictObject({
          plan: z.string(),
          name: translated(),
          term: z.enum(terms),
          customers: count(),
          ...recurring,
        }),
      ),
      best: z.array(
        z.strictObject({ customer: z.strictObject({ id: uuidText(), name: z.string() }), ...recurring }),
      ),
    }),
  },
  errors: { 400: ['period_too_long'] },
})
named('Recurring', getRecurring.replies[200])
export type Recurring = z.infer<(typeof getRecurring.replies)[200]>
