import { handler as serve } from '#foundation/server/http/handler.ts'
import * as contract from '#features/support/messages/contract.ts'
import * as messages from './messages.ts'
import { publishTyping } from './typing.ts'

export const routes = [
  serve(contract.listMessages, messages.listMessages),
  serve(contract.postMessage, messages.postMessage),
  serve(contract.markRead, messages.markRead),
  serve(contract.postNote, messages.postNote),
  serve(contract.tellTyping, publishTyping),
]
