import type { Handler } from '#foundation/server/http/handler.ts'
import * as downloads from './downloads.ts'
import * as files from './files.ts'
import { changeStorage, getStorage } from './storage.ts'

export const routes: readonly Handler[] = [
  files.uploadAttachment,
  downloads.getAttachment,
  downloads.getPreview,
  getStorage,
  changeStorage,
]
