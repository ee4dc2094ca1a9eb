import type { NamedThing } from '#foundation/server/acting.ts'
import type { Reaction } from '#foundation/server/events.ts'
import type { Handler } from '#foundation/server/http/handler.ts'
import type { Job } from '#foundation/server/jobs/jobs.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import type { EventBodies } from '#foundation/server/realtime/bodies.ts'
import * as answers from '#features/support/answers/server/feature.ts'
import * as desk from '#features/support/desk/server/feature.ts'
import * as files from '#features/support/files/server/feature.ts'
import { namedFile } from '#features/support/files/server/files.ts'
import * as mail from '#features/support/mail/server/feature.ts'
import * as messages from '#features/support/messages/server/feature.ts'
import { jobs as closing } from '#features/support/tickets/server/auto-close.ts'
import { eventBodies as ticketBodies } from '#features/support/tickets/server/event-bodies.ts'
import * as ratings from '#features/support/ratings/server/feature.ts'
import * as tickets from '#features/support/tickets/server/feature.ts'
import { jobs as waking } from '#features/support/tickets/server/snooze.ts'
import { secretJobs } from '#features/support/tickets/server/secrets.ts'
import { ticketAsThing } from '#features/support/tickets/server/tickets.ts'

export { published } from '#features/support/tickets/server/feature.ts'
export { sealed } from '#features/support/tickets/server/secrets.ts'
export { figures } from '#features/support/mail/server/figures.ts'

export const routes: readonly Handler[] = [
  ...tickets.routes,
  ...files.routes,
  ...mail.routes,
  ...messages.routes,
  ...desk.routes,
  ...answers.routes,
  ...ratings.routes,
]

export const jobs: readonly Job[] = [
  ...closing,
  ...waking,
  ...secretJobs,
  ...files.jobs,
  ...mail.jobs,
  ...messages.jobs,
  ...desk.jobs,
  ...answers.jobs,
]

export const reactions: readonly Reaction[] = [
  ...tickets.reactions,
  ...files.reactions,
  ...mail.reactions,
  ...messages.reactions,
]

export const eventBodies: readonly EventBodies[] = [ticketBodies]

/** The parameters in the paths of this feature's calls that name a customer's ticket or file, with their look-ups. */
export const namedThings: readonly NamedThing[] = [{ parameter: 'chatId', find: ticketAsThing }, namedFile]

export const personalData: PersonalData = async (app, tx, user_id) => ({
  ...(await tickets.personalData(app, tx, user_id)),
  ...(await mail.personalData(app, tx, user_id)),
  ...(await ratings.personalData(app, tx, user_id)),
})
