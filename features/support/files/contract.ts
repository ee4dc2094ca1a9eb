import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { uuid } from '#foundation/fields.ts'
import { bigCount, count, named } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import { helpNote, helpPermission } from '#features/hosts/contract.ts'
import { MOST_EXTRA_MB } from './rules.ts'
import {
  attachment,
  deskPermission,
  publicId,
  seeTickets,
  useTickets,
} from '#features/support/tickets/shapes.ts'

/** Files of messages: their upload, their bytes, their previews. */

const file = z.strictObject({ attachmentId: publicId })

export const uploadAttachment = route({
  id: 'uploadAttachment',
  tag: 'Tickets',
  method: 'POST',
  path: '/api/attachments/',
  access: { who: 'customer', acts: useTickets, whileBlocked: 'allowed' },
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
  access: { who: 'customer', acts: seeTickets, orStaff: deskPermission },
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
  access: { who: 'customer', acts: seeTickets, orStaff: deskPermission },
  viewable: true,
  summary: 'A preview drawn from an uploaded picture',
  description: "A preview drawn from an uploaded picture, without the camera's metadata",
  params: file,
  responseType: 'image/webp',
  replies: { 200: null },
})

const extraMegabytes = z.int().check(z.minimum(0, 'invalid'), z.maximum(MOST_EXTRA_MB, 'invalid'))

const storage = z.strictObject({
  /** The bytes that count towards the quota. */
  kept_bytes: bigCount(),
  /** The quota: STORAGE_PER_CUSTOMER, and what staff have added. */
  most_bytes: bigCount(),
  /** The megabytes that staff have added to the quota. */
  extra_mb: count(),
})
named('Storage', storage)
export type Storage = z.infer<typeof storage>

const customer = z.strictObject({ userId: uuid })

export const getStorage = route({
  id: 'getStorage',
  tag: 'Staff customers',
  method: 'GET',
  path: '/api/staff/customers/{userId}/storage/',
  access: staff(helpPermission),
  summary: 'How much a customer keeps in files, and may keep',
  params: customer,
  replies: { 200: storage },
})

export const changeStorage = route({
  id: 'changeStorage',
  tag: 'Staff customers',
  method: 'PUT',
  path: '/api/staff/customers/{userId}/storage/',
  access: staff(helpPermission),
  summary: 'Let a customer keep more files than others',
  description:
    'Set the megabytes that are added to the quota of an account; no file is lost where it is lowered',
  params: customer,
  /** `from` is the `extra_mb` that was shown. */
  body: z.strictObject({ extra_mb: extraMegabytes, from: extraMegabytes, note: helpNote }),
  replies: { 200: storage },
  errors: { 403: ['own_account'], 409: ['changed'] },
})
