import type { Handler } from '#foundation/server/http/handler.ts'
import { listAudit } from './operations.ts'
import * as system from './system.ts'

export const routes: readonly Handler[] = [
  listAudit,
  system.read,
  system.failed,
  system.retry,
  system.drop,
  system.dead,
  system.resend,
]
