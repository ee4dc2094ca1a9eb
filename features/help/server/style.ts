import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '#foundation/server/config.ts'
import { nameOfStyle, publicStyle } from '#foundation/server/http/public-pages/style.ts'

const own = readFileSync(path.join(import.meta.dirname, 'help.css'), 'utf8')

export const styleSheet = (config: Config): string => publicStyle(config, own)

export const styleAddress = (config: Config): string => `/help/${nameOfStyle(styleSheet(config))}`
