import type { TicketSeedEvent } from './ticket-history.ts'
import { must } from '#foundation/must.ts'

/** The user ids of the people in the demo tickets. */
export type Ids = Record<Who, string>
export type Who = Customer | 'olivia' | 'jonas'
export type Customer = 'anna' | 'mikhail' | 'henrike' | 'lukas' | 'cem' | 'claire' | 'reto' | 'elin'

const MINUTE_ms = 60_000

/** Returns the time that is `ago` before now, such as '3d 2h 5m'. */
export function timeBefore(now: Date, ago: string): Date {
  const [days, hours, minutes] = ['d', 'h', 'm'].map((unit) =>
    Number(new RegExp(`(\\d+)${unit}`).exec(ago)?.[1] ?? 0),
  )
  return new Date(now.getTime() - ((must(days) * 24 + must(hours)) * 60 + must(minutes)) * MINUTE_ms)
}

/** Returns functions that make the lines of a ticket, each a time before now, such as '3d 2h 5m'. `files` are attachment ids by name. */
export function linesAt(now: Date, ids: Ids, files: ReadonlyMap<string, string>) {
  const at = (ago: string): Date => timeBefore(now, ago)
  return {
    says: (who: Who, ago: string, text: string, ...names: string[]): TicketSeedEvent => ({
      kind: 'comment',
      at: at(ago),
      author_id: ids[who],
      text,
      attachment_ids: names.flatMap((name) => files.get(name) ?? []),
    }),
    /** A message that came as a mail, with what the mail quotes. */
    mails: (who: Customer, ago: string, text: string, quoted = ''): TicketSeedEvent => ({
      kind: 'comment',
      at: at(ago),
      author_id: ids[who],
      text,
      quoted,
    }),
    /** A message with a part that the other side opens once. */
    entrusts: (who: Who, ago: string, text: string, secret: string): TicketSeedEvent => ({
      kind: 'comment',
      at: at(ago),
      author_id: ids[who],
      text,
      secret,
    }),
    /** A message whose text somebody of staff has removed later. */
    saidOnce: (who: Who, ago: string, by: 'olivia' | 'jonas', later: string): TicketSeedEvent => ({
      kind: 'comment',
      at: at(ago),
      author_id: ids[who],
      text: '',
      removed: { by: ids[by], at: at(later) },
    }),
    notes: (who: Who, ago: string, text: string): TicketSeedEvent => ({
      kind: 'note',
      at: at(ago),
      author_id: ids[who],
      text,
    }),
    does: (who: Who, ago: string, act: 'taken' | 'closed' | 'reopened'): TicketSeedEvent => ({
      kind: 'event',
      at: at(ago),
      author_id: ids[who],
      act,
    }),
    handsOver: (who: Who, ago: string, to: Who, name: string): TicketSeedEvent => ({
      kind: 'event',
      at: at(ago),
      author_id: ids[who],
      act: 'handed_over',
      to: { id: ids[to], name },
    }),
    raises: (who: Who, ago: string, priority: 'critical' | 'high'): TicketSeedEvent => ({
      kind: 'event',
      at: at(ago),
      author_id: ids[who],
      act: 'priority_changed',
      priority,
    }),
  }
}

export type Lines = ReturnType<typeof linesAt>
