import type { Handler } from '#foundation/server/http/handler.ts'
import * as downloads from './downloads.ts'
import * as files from './files.ts'

export const routes: readonly Handler[] = [
  files.uploadAttachment,
  downloads.getAttachment,
  downloads.getPreview,
]
