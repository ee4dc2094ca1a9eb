import * as z from 'zod/mini'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'

/**
 * True for a password (lower-cased) among those that attackers try first (D23): on zxcvbn's ranked list from public leaks or on Django's,
 * both whole; one letter or a row of digits again and again; or an obvious word with a few digits or signs: "password" in three languages,
 * a row of keys, a month or season with a year, the name of the operator or of the product.
 */
export function isCommonPassword(password: string, operatorName: string): boolean {
  if (/^([\p{L}\p{N}])\1{2,}$/u.test(password)) return true
  return (lists ??= readLists()).has(password) || isWordWithSigns(password, operatorName)
}

let lists: ReadonlySet<string> | undefined

// The lists are read at the first use, since a start need not wait for half a megabyte. The file of Django's list (its BSD licence
// is beside it) holds only the 6,627 of 19,640 entries that are not among zxcvbn's 49,000.
function readLists(): ReadonlySet<string> {
  const require = createRequire(import.meta.url)
  const { dictionary } = z
    .object({ dictionary: z.object({ 'passwords-common': z.array(z.string()) }) })
    .parse(require('@zxcvbn-ts/language-common'))
  const packed = readFileSync(new URL('./common-passwords.txt.gz', import.meta.url))
  const djangos = gunzipSync(packed).toString('utf8').trimEnd().split('\n')
  return new Set([...dictionary['passwords-common'], ...djangos, ...rowsOfDigits()])
}

const always = new Set(
  `password passwort kennwort geheim willkommen hallo welcome letmein admin administrator root test user login secret hostdesk
  qwerty qwertz qwertzui qwertzuiop asdfgh asdfghjkl yxcvbnm пароль привет администратор админ секрет любовь добропожаловать
  йцукен йцукенг йцукенгш фывапролдж ячсмить`.split(/\s+/),
)

const withYear = new Set(
  `january february march april may june july august september october november december spring summer autumn fall winter
  januar jänner februar märz maerz mai juni juli oktober dezember frühling fruehling frühjahr sommer herbst
  январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
  января февраля марта апреля мая июня июля августа сентября октября ноября декабря весна лето осень зима`.split(
    /\s+/,
  ),
)

// The most digits and signs that a common word may have around it. A password with more is not obvious: they have to be guessed as well.
const FEW_SIGNS = 8

function isWordWithSigns(password: string, operatorName: string): boolean {
  const word = lettersOf(password)
  const signs = password.length - word.length
  if (word === '' || signs > FEW_SIGNS) return false
  if (withYear.has(word)) return /(?<!\d)(\d{2}|(19|20)\d{2})(?!\d)/.test(password)
  return always.has(word) || (word.length > 2 && word === lettersOf(operatorName.toLowerCase()))
}

const lettersOf = (text: string): string => text.replaceAll(/\P{L}/gu, '')

/** Rows of ascending and descending digits from 3 to 12 digits, such as 12345678 and 87654321. */
function* rowsOfDigits(): Generator<string> {
  const up = '12345678901234567890'
  const rows = [up, [...up].toReversed().join('').slice(1), '0123456789012', '9876543210987']
  for (const row of rows) {
    for (let length = 3; length <= 12; length += 1) yield row.slice(0, length)
  }
  for (let first = 4; first < 9; first += 1)
    yield [...Array(first).keys()].map((step) => first - step).join('')
  yield '87654321'
  yield '987654321'
}
