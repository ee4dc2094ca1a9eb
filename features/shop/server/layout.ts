import { paths } from '#features/paths.ts'
import type { Config } from '#foundation/server/config.ts'
import type { Html } from '#foundation/server/http/html.ts'
import { publicFrame, type PublicPage } from '#foundation/server/http/public-pages/frame.ts'
import { indexAddress } from './addresses.ts'
import { style } from './style.ts'

/** Puts a page of the shop into the frame of public pages. */
export const layout = (
  config: Config,
  page: Omit<PublicPage, 'style' | 'home' | 'signIn'> & Partial<Pick<PublicPage, 'home'>>,
  main: Html,
): Html => {
  const { locale, home = indexAddress({ locale }) } = page
  return publicFrame(config, { ...page, style: style.address(config), home, signIn: paths.signIn() }, main)
}
