import type { AnyPublished } from '#foundation/published.ts'
import type { NamedThing, OwnedThing } from './acting.ts'
import type { ApprovableAct } from './approvals/approvable-act.ts'
import type { Reaction } from './events.ts'
import type { Handler } from './http/handler.ts'
import type { Job } from './jobs/jobs.ts'
import type { Sealed } from './key-change/sealed.ts'
import type { Figures } from './operation/figures.ts'
import type { PersonalData } from './personal-data.ts'
import type { EventBodies } from './realtime/bodies.ts'

/** All that a feature's server/feature.ts may export; app/server reads it. */
export type Feature = {
  routes: readonly Handler[]
  jobs?: readonly Job[]
  reactions?: readonly Reaction[]
  personalData?: PersonalData
  /** The actions of staff that may need a second person. */
  approvable?: readonly ApprovableAct[]
  /** Figures for `/metrics`. */
  figures?: Figures
  /** The values that SECRET_KEY seals. */
  sealed?: Sealed
  /** The kinds of account events that the feature records. */
  published?: readonly AnyPublished[]
  eventBodies?: readonly EventBodies[]
  /** The things whose ids stand in paths, such as a ticket, each with the query for its owner: a helper acts for the owner's account. */
  namedThings?: readonly NamedThing[]
  /** The things whose ids stand in paths of calls of staff: no member acts on a thing of their own. */
  ownedThings?: readonly OwnedThing[]
}
