import type { Handler } from '#foundation/server/http/handler.ts'
import * as agents from './agents.ts'
import * as hosts from './hosts.ts'
import { list } from './list.ts'
import { getMetrics } from './metrics.ts'
import { accept, decline } from './transfer-answers.ts'
import * as transfers from './transfers.ts'

export const routes: readonly Handler[] = [
  list,
  hosts.create,
  hosts.get,
  hosts.update,
  hosts.remove,
  agents.makeToken,
  getMetrics,
  transfers.list,
  transfers.offer,
  transfers.withdraw,
  accept,
  decline,
]
