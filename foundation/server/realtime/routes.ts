import * as contract from '#foundation/live-contract.ts'
import { handler, type Handler } from '#foundation/server/http/handler.ts'
import { parseCursor } from './cursor.ts'
import { hubOf } from './hub.ts'

const openEvents = handler(contract.events, async ({ app, actor, caller, query, headers, reply }) => {
  const { user_id, session_id, generation, is_staff } = actor
  const { in_staff_network } = caller
  const cursor = headers['last-event-id'] ?? query.after
  const after = cursor === undefined ? undefined : parseCursor(cursor, { is_staff })
  const tab = headers['x-tab-id']
  const loaded_ms = headers['x-loaded-ms'] === undefined ? undefined : Number(headers['x-loaded-ms'])
  const stream = hubOf(app).open({
    user_id,
    session_id,
    generation,
    is_staff,
    in_staff_network,
    tab,
    after,
    loaded_ms,
  })
  reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store, no-transform')
    // nginx would keep back what is written until a buffer is full.
    .header('x-accel-buffering', 'no')
  void reply.send(stream.out)
  return null
})

export const routes: readonly Handler[] = [openEvents]
