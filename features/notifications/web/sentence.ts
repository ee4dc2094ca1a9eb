import type { Notification } from '#features/notifications/contract.ts'
import { m } from '#texts/messages.js'

/** Says what happened in one sentence. */
export function sentenceOf({ kind, facts, count }: Pick<Notification, 'kind' | 'facts' | 'count'>): string {
  const { number = '', by = '', host = '' } = facts
  switch (kind) {
    case 'reply':
      return m.notifications_reply({ number, count })
    case 'mention':
      return m.notifications_mention({ number, by })
    case 'assigned':
      return by === '' ? m.notifications_assigned_alone({ number }) : m.notifications_assigned({ number, by })
    case 'alert':
      return alertText(facts)
    case 'approval':
      return approvalText(facts['state'])
    case 'payment':
      return paymentText(facts['what'], host)
    default:
      return m.notifications_announcement()
  }
}

function alertText({ host = '', alert, state, count }: Notification['facts']): string {
  if (count !== undefined) return m.notifications_alerts({ count: Number(count) })
  const isOver = state === 'over'
  if (alert === 'disk') return isOver ? m.notifications_disk_over({ host }) : m.notifications_disk({ host })
  return isOver ? m.notifications_online({ host }) : m.notifications_offline({ host })
}

function approvalText(state: string | undefined): string {
  switch (state) {
    case 'approved':
      return m.notifications_approved()
    case 'refused':
      return m.notifications_refused()
    case 'failed':
      return m.notifications_not_done()
    case 'expired':
      return m.notifications_expired()
    default:
      return m.notifications_approval()
  }
}

function paymentText(what: string | undefined, host: string): string {
  if (what === 'renewal') return m.notifications_renewal({ host })
  if (what === 'charge_waits') return m.notifications_charge_waits()
  if (what === 'auto_top_up') return m.notifications_auto_top_up()
  return what === 'order' ? m.notifications_order() : m.notifications_top_up()
}
