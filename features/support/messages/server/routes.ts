import type { Handler } from '#foundation/server/http/handler.ts'
import * as messages from './messages.ts'
import { publishTyping } from './typing.ts'

export const routes: readonly Handler[] = [
  messages.listMessages,
  messages.postMessage,
  messages.markRead,
  messages.postNote,
  publishTyping,
]
