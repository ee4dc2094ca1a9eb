import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  afterAssigning,
  afterUnassigning,
  afterReopening,
  afterReply,
  customerTabs,
  priorities,
  staffTabs,
  statuses,
  ticketCan,
  topics,
  type Party,
  type TicketState,
  oneLine,
} from './rules.ts'

const DAY_MS = 86_400_000
const NOW = 1_000 * DAY_MS
const customer: Party = { role: 'customer' }
const staff: Party = { role: 'staff', user_id: 'olivia' }
const state = (
  status: TicketState['status'],
  assignee_id: string | null = null,
  closed_days_ago?: number,
) => ({
  status,
  assignee_id,
  closed_at: closed_days_ago === undefined ? null : NOW - closed_days_ago * DAY_MS,
})

it('K-01 knows the priorities and the topics', () => {
  expect(priorities).toEqual(['critical', 'high', 'medium', 'low', 'very_low'])
  expect(new Set(topics)).toEqual(
    new Set(['finances', 'finances_chargeback', 'finances_sales', 'miscellaneous', 'review', 'technical']),
  )
})

it('K-02 every ticket status is in a tab for customers and in a tab for staff', () => {
  for (const tabs of [customerTabs, staffTabs])
    expect(new Set(Object.values(tabs).flat())).toEqual(new Set(statuses))
})

describe("K-02 a reply makes it the other side's turn", () => {
  it.each([
    [state('opened'), staff, { status: 'pending', assignee_id: 'olivia' }],
    [state('in-progress', 'jonas'), staff, { status: 'pending', assignee_id: 'jonas' }],
    [state('pending', 'olivia'), staff, { status: 'pending', assignee_id: 'olivia' }],
    [state('opened'), customer, { status: 'opened', assignee_id: null }],
    [state('in-progress', 'jonas'), customer, { status: 'in-progress', assignee_id: 'jonas' }],
    [state('pending', 'jonas'), customer, { status: 'in-progress', assignee_id: 'jonas' }],
    [state('pending'), customer, { status: 'opened', assignee_id: null }],
    [state('closed', 'jonas', 1), customer, { status: 'in-progress', assignee_id: 'jonas' }],
    [state('closed', null, 1), customer, { status: 'opened', assignee_id: null }],
  ])('%o by %o leads to %o', (before, party, after) => {
    expect(afterReply(before, party)).toEqual(after)
  })
})

describe('who may do what', () => {
  it('lets staff take unassigned tickets, and only staff', () => {
    expect(ticketCan.take(state('opened'), staff)).toBe(true)
    expect(ticketCan.take(state('opened'), customer)).toBe(false)
    expect(ticketCan.take(state('in-progress', 'jonas'), staff)).toBe(false)
    expect(ticketCan.take(state('closed', null, 1), staff)).toBe(false)
  })
  it('releases and hands over open tickets', () => {
    expect(ticketCan.unassign(state('pending', 'jonas'), staff)).toBe(true)
    expect(ticketCan.unassign(state('opened'), staff)).toBe(false)
    expect(ticketCan.handOver(state('in-progress', 'jonas'), customer)).toBe(false)
  })
  it('lets the customer open it again within 30 days, staff at any time', () => {
    expect(ticketCan.reply(state('closed', null, 29.9), customer, NOW)).toBe(true)
    expect(ticketCan.reply(state('closed', null, 30), customer, NOW)).toBe(false)
    expect(ticketCan.reply(state('closed', null, 1), staff, NOW)).toBe(false)
    expect(ticketCan.reopen(state('closed', null, 31), customer, NOW)).toBe(false)
    expect(ticketCan.reopen(state('closed', null, 400), staff, NOW)).toBe(true)
    expect(ticketCan.reopen(state('opened'), staff, NOW)).toBe(false)
  })
})

it('no action leads to a ticket in work without an assignee', () => {
  const parties = fc.constantFrom(customer, staff)
  const tickets = fc
    .tuple(fc.constantFrom(...statuses), fc.constantFrom(null, 'olivia', 'jonas'))
    .filter(([status, assignee]) => status !== 'in-progress' || assignee !== null)
    .map(([status, assignee]) => state(status, assignee, status === 'closed' ? 1 : undefined))
  fc.assert(
    fc.property(tickets, parties, (ticket, party) => {
      for (const after of [
        afterReply(ticket, party),
        afterReopening(ticket),
        afterAssigning(ticket, 'olivia'),
        afterUnassigning(),
      ])
        expect(after.status === 'in-progress' && after.assignee_id === null).toBe(false)
    }),
  )
})

it.each([
  ['**Please** run\n```sh\ntop -b\n```\nand send it', 'Please run top -b and send it'],
  ['> You wrote\n\n- first\n- second', 'You wrote first second'],
  ['_Hello_ *there*, `snake_case` and 2 * 3 * 4', 'Hello there, snake_case and 2 * 3 * 4'],
  ['#1042 is mine, # Heading not', '#1042 is mine, # Heading not'],
  ['# m h dom\n* * * * * run', '# m h dom * * * * * run'],
  ['   \n\t', ''],
])('writes %j on one line as %j', (text, line) => {
  expect(oneLine(text)).toBe(line)
})

it('cuts a long one, never within a letter', () => {
  expect(oneLine('👍'.repeat(200), 10)).toBe(`${'👍'.repeat(9)}…`)
})
