import { handler as serve } from '#foundation/server/http/handler.ts'
import * as contract from '#features/chat/contract.ts'
import * as chat from './chat.ts'
import * as downloads from './downloads.ts'
import * as uploads from './uploads.ts'

export const routes = [
  serve(contract.tellTyping, chat.publishTyping),
  serve(contract.uploadAttachment, uploads.uploadAttachment),
  serve(contract.getAttachment, downloads.getAttachment),
  serve(contract.getPreview, downloads.getPreview),
]
