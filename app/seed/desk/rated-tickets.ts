import type { Closed } from './closed-ticket.ts'
import type { Story } from '../ticket-story.ts'
import { closedInEnglish } from './closed-in-english.ts'
import { closedInGerman } from './closed-in-german.ts'

/** Tickets of the last three months that are closed, most of them rated: what the reports are made of. */
export const ratedTickets = (): readonly Story[] => [...closedInGerman, ...closedInEnglish].map(storyOf)

function storyOf({ who, by, days, took, asked, answered, thanks, rated, ...about }: Closed): Story {
  const [answer, end] = took
  const ago = (minutes: number) => `${days}d ${12 * 60 - minutes}m`
  const [face, word = ''] = rated ?? []
  return {
    who,
    priority: 'medium',
    ...about,
    ...(face && { rated: { face, word, ago: ago(end + 35) } }),
    lines: ({ says, does }) => [
      says(who, ago(0), asked),
      does(by, ago(answer - 3), 'taken'),
      says(by, ago(answer), answered),
      ...(thanks === undefined ? [] : [says(who, ago(end - 4), thanks)]),
      does(thanks === undefined ? who : by, ago(end), 'closed'),
    ],
  }
}
