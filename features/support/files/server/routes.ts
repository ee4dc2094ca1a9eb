import { handler as serve } from '#foundation/server/http/handler.ts'
import * as contract from '#features/support/files/contract.ts'
import * as downloads from './downloads.ts'
import * as files from './files.ts'

export const routes = [
  serve(contract.uploadAttachment, files.uploadAttachment),
  serve(contract.getAttachment, downloads.getAttachment),
  serve(contract.getPreview, downloads.getPreview),
]
