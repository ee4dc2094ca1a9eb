import type { Handler } from '#foundation/server/http/handler.ts'
import { publication, recipients, resolution } from './publish.ts'
import { notices, publicNotices } from './read.ts'
import { create, list, update } from './write.ts'

export const routes: readonly Handler[] = [
  list,
  create,
  update,
  recipients,
  publication,
  resolution,
  notices,
  publicNotices,
]
