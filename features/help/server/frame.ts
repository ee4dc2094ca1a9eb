import { paths } from '#features/paths.ts'
import type { Config } from '#foundation/server/config.ts'
import type { Html } from '#foundation/server/http/html.ts'
import { publicFrame, type PublicPage } from '#foundation/server/http/public-pages/frame.ts'
import { indexAddress } from './addresses.ts'
import { style } from './style.ts'

/** Puts a page of the help centre into the frame of public pages. */
export const frame = (
  config: Config,
  page: Omit<PublicPage, 'style' | 'home' | 'signIn'>,
  main: Html,
): Html => {
  const places = { style: style.address(config), home: indexAddress(page.locale), signIn: paths.signIn() }
  return publicFrame(config, { ...page, ...places }, main)
}
