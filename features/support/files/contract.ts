import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { attachment, deskPermission, publicId, useTickets } from '#features/support/tickets/shapes.ts'

/** Files of messages: their upload, their bytes, their previews. */

const file = z.strictObject({ attachmentId: publicId })

export const uploadAttachment = route({
  id: 'uploadAttachment',
  tag: 'Tickets',
  method: 'POST',
  path: '/api/attachments/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Upload one file for a message',
  description:
    'Upload one file as multipart/form-data, at most 20 MB; files that no message uses are deleted after a day, and an account has a storage quota',
  limits: ['upload'],
  requestType: 'file',
  replies: { 201: attachment },
  errors: { 400: ['empty_file', 'one_file'], 409: ['too_many_uploads'], 413: ['quota_exceeded'] },
})

export const getAttachment = route({
  id: 'getAttachment',
  tag: 'Tickets',
  method: 'GET',
  path: '/api/attachments/{attachmentId}/',
  access: { who: 'customer', acts: useTickets, orStaff: deskPermission },
  viewable: true,
  summary: 'The bytes as they were uploaded, to be kept as a file',
  params: file,
  responseType: 'any',
  replies: { 200: null },
})

export const getPreview = route({
  id: 'getPreview',
  tag: 'Tickets',
  method: 'GET',
  path: '/api/attachments/{attachmentId}/preview',
  access: { who: 'customer', acts: useTickets, orStaff: deskPermission },
  viewable: true,
  summary: 'A preview drawn from an uploaded picture',
  description: "A preview drawn from an uploaded picture, without the camera's metadata",
  params: file,
  responseType: 'image/webp',
  replies: { 200: null },
})
