import type { Handler } from '#foundation/server/http/handler.ts'
import { listAudit } from './operations.ts'

export const routes: readonly Handler[] = [listAudit]
