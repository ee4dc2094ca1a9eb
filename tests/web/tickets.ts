import type { Ticket } from '#features/support/tickets/contract.ts'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

export const anna = { id: 'a0000000-0000-4000-8000-000000000001', name: 'Anna Berger' }
export const olivia = {
  id: 'b0000000-0000-4000-8000-000000000002',
  name: 'Olivia Grant',
  shown_as: 'Olivia Grant',
}
export const jonas = {
  id: 'c0000000-0000-4000-8000-000000000003',
  name: 'Jonas Keller',
  shown_as: 'Jonas Keller',
}

/** A ticket that is assigned to nobody, as staff see it. Anna has waited for two hours. */
export const incoming: Ticket = {
  id: 'T'.repeat(22),
  number: 1042,
  subject: 'Cannot reach my server',
  topic: 'technical',
  priority: 'medium',
  status: 'opened',
  host_id: null,
  host_name: null,
  last_message: { text: 'It does not answer since noon.', by_staff: false },
  assignee: null,
  customer: anna,
  account: null,
  created_at: minutesAgo(121),
  last_message_at: minutesAgo(121),
  waiting_since: minutesAgo(121),
  due_at: null,
  first_reply_at: null,
  closed_at: null,
  previous: null,
  unread: 1,
  last_seq: 1,
}

/** The ticket `incoming` after Olivia has taken it. */
export const taken: Ticket = { ...incoming, status: 'in-progress', assignee: olivia }

export const another: Ticket = {
  ...incoming,
  id: 'U'.repeat(22),
  number: 1043,
  subject: 'Invoice without my company',
  topic: 'finances',
  priority: 'critical',
  waiting_since: minutesAgo(5),
  unread: 0,
}
