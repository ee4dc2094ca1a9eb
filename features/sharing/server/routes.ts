import type { Handler } from '#foundation/server/http/handler.ts'
import { accounts } from './accounts.ts'
import { activity } from './activity.ts'
import { keepLicenceKey, listFormerHelpers } from './former.ts'
import * as given from './given.ts'
import { people } from './people.ts'
import * as received from './received.ts'

export const routes: readonly Handler[] = [
  given.list,
  given.create,
  given.update,
  received.remove,
  received.accept,
  received.decline,
  accounts,
  people,
  activity,
  listFormerHelpers,
  keepLicenceKey,
]
