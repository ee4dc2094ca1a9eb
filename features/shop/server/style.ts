import path from 'node:path'
import { publicStyle } from '#foundation/server/http/public-pages/style.ts'

export const style = publicStyle('/shop/', path.join(import.meta.dirname, 'shop.css'))
