import type { Handler } from '#foundation/server/http/handler.ts'
import * as agents from './agents.ts'
import * as hosts from './hosts.ts'
import { list } from './list.ts'
import { renewKey, renewKeys } from './keys.ts'
import { getMetrics } from './metrics.ts'
import { accept, decline } from './transfer-answers.ts'
import { changeHostAddresses, resetAddressChanges } from './staff.ts'
import * as transfers from './transfers.ts'

export const routes: readonly Handler[] = [
  list,
  hosts.create,
  hosts.get,
  hosts.update,
  hosts.remove,
  agents.makeToken,
  renewKey,
  renewKeys,
  changeHostAddresses,
  resetAddressChanges,
  getMetrics,
  transfers.list,
  transfers.offer,
  transfers.withdraw,
  accept,
  decline,
]
