import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { keptLogo } from '#foundation/server/logo-setting.ts'
import { changedTo } from '#foundation/versions.ts'
import * as contract from '#features/operations/company-contract.ts'
import { presentSeller } from './company.ts'
import { keepSection } from './keep-section.ts'

/** Answers `PUT /api/staff/company/logo/`. */
export const changeLogo = handler(contract.changeLogo, async ({ app, actor, caller, body }) => {
  const { logo } = await presentSeller(app)
  const { png, version = logo.version } = body
  if (png !== null && !isPng(Buffer.from(png, 'base64'))) throw badRequest('not_a_png', 'png')
  const settings = { OPERATOR_LOGO_URL: png === null ? '' : keptLogo(png) }
  const isKept = await keepSection(app, { by: actor.user_id, caller }, { section: 'logo', version, settings })
  const { logo: present } = await presentSeller(app)
  return isKept ? { status: 200, body: present } : changedTo(present)
})

const SIGNATURE = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const END = Buffer.from('0000000049454e44ae426082', 'hex')
const MOST_PIXELS = 2000

/** True for a PNG from its first byte to its last whose sides are at most 2,000 pixels: nothing else is sent to every customer. */
function isPng(bytes: Buffer): boolean {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE) || bytes.length < 57) return false
  if (!bytes.subarray(-END.length).equals(END)) return false
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  return Math.min(width, height) > 0 && Math.max(width, height) <= MOST_PIXELS
}
