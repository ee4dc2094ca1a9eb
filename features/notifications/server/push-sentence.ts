import type { Locale } from '#foundation/locale.ts'
import * as m from '#texts/messages.js'
import type { NotificationRow } from './queries.ts'

type News = Pick<NotificationRow, 'kind' | 'facts'>

/** A short sentence for a locked screen, which others may see: numbers at most, no names and no words of anybody. */
export function pushSentence({ kind, facts: { number = '' } }: News, locale: Locale): string {
  switch (kind) {
    case 'reply':
      return m.notifications_push_reply({ number }, { locale })
    case 'mention':
      return m.notifications_push_mention({ number }, { locale })
    case 'assigned':
      return m.notifications_push_assigned({ number }, { locale })
    case 'alert':
      return m.notifications_push_alert({}, { locale })
    case 'approval':
      return m.notifications_push_approval({}, { locale })
    case 'payment':
      return m.notifications_push_payment({}, { locale })
    default:
      return m.notifications_push_announcement({}, { locale })
  }
}
