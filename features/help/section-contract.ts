import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { text, translated } from '#foundation/fields.ts'
import { optionalIdempotencyKey } from '#foundation/idempotency.ts'
import { count, named, uuidText } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import { changedReply, version } from '#foundation/versions.ts'
import { writePermission } from './contract.ts'
import { SLUG_LENGTH, TITLE_LENGTH } from './rules.ts'

/** The sections of the help centre, and the fields that an article has as well. */

export const section = z.strictObject({
  id: uuidText(),
  slug: z.string(),
  rank: count(),
  title: translated(),
  version,
})
named('HelpSection', section)
export type HelpSection = z.infer<typeof section>

export const slug = z
  .string({ error: 'required' })
  .check(z.trim(), z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'invalid'), z.minLength(3, 'invalid'))
  .check(z.maxLength(SLUG_LENGTH, 'max_length'))
export const rank = z.int({ error: 'invalid' }).check(z.minimum(0), z.maximum(9999))
export const words = (field: () => z.ZodMiniType<string, string>) =>
  z.strictObject({ en: z.optional(field()), de: z.optional(field()), ru: z.optional(field()) })
export const titles = words(() => text(TITLE_LENGTH))
named('HelpTitle', titles)
export const createHelpSection = route({
  id: 'createHelpSection',
  tag: 'Staff tickets',
  method: 'POST',
  path: '/api/staff/help/sections/',
  access: staff(writePermission, 'none'),
  summary: 'Add a section to the help centre',
  headers: optionalIdempotencyKey,
  body: z.strictObject({ slug, rank, title: titles }),
  replies: { 201: section },
  errors: { 409: ['help_address_taken', 'help_full'] },
})

const sectionParams = z.strictObject({ sectionId: z.uuid() })

export const updateHelpSection = route({
  id: 'updateHelpSection',
  tag: 'Staff tickets',
  method: 'PATCH',
  path: '/api/staff/help/sections/{sectionId}/',
  access: staff(writePermission, 'none'),
  summary: 'Change a section of the help centre',
  params: sectionParams,
  body: z.strictObject({
    slug: z.optional(slug),
    rank: z.optional(rank),
    title: z.optional(titles),
    version,
  }),
  replies: { 200: section, 409: changedReply(section) },
  errors: { 409: ['changed', 'help_address_taken'] },
})

export const deleteHelpSection = route({
  id: 'deleteHelpSection',
  tag: 'Staff tickets',
  method: 'DELETE',
  path: '/api/staff/help/sections/{sectionId}/',
  access: staff(writePermission, 'none'),
  summary: 'Delete a section without articles',
  params: sectionParams,
  replies: { 204: null },
  errors: { 409: ['help_section_in_use'] },
})
