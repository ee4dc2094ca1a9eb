import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import {
  descriptorLimit,
  descriptorsLeft,
  noteConnection,
  spareOf,
} from '#foundation/server/operation/descriptors.ts'

/**
 * Closes the connection that has been idle longest when descriptors become few: without it the next connection, of a probe as of a person,
 * could not be accepted. One that never asked for anything goes first. Connections that carry a request or a stream are left alone.
 */
export function spareConnections(server: FastifyInstance): void {
  // A set keeps its order: the first one has been idle longest.
  const idle = new Set<Socket>()
  const rest = (socket: Socket) => {
    idle.delete(socket)
    if (!socket.destroyed) idle.add(socket)
  }
  server.server.on('connection', (socket) => {
    noteConnection()
    rest(socket)
    socket.once('close', () => idle.delete(socket))
    if (descriptorsLeft() >= spareOf(descriptorLimit()) / 2) return
    const others = [...idle].filter((one) => one !== socket)
    const oldest = others.find(({ bytesRead }) => bytesRead === 0) ?? others[0]
    oldest?.destroy()
  })
  server.server.on('request', (request, response) => {
    idle.delete(request.socket)
    response.once('close', () => rest(request.socket))
  })
}
