// Mail programs make links of words that only look like one. The attack is a person or a server that is called by a web address: our mail
// to somebody else would carry the link as if we had written it.

const endings =
  'com|net|org|info|biz|name|pro|mobi|xyz|top|site|online|shop|store|app|page|link|click|live|club|vip|work|icu|fun|space|website|' +
  'tech|cloud|agency|digital|news|blog|world|today|email|support|help|services|solutions|group|company|center|network|zone|finance|bank|' +
  'money|pay|promo|sale|win|bid|loan|download|stream|host|hosting|domains|login|security|онлайн|сайт|москва|дети|орг|[a-z]{2}|рф|бел|укр'

/**
 * A scheme, `www.`, an IPv4 address that is not the version of a browser, or a host whose ending is one of a country or a common one; in its
 * parts are letters of any script. No address of mail.
 */
const link = new RegExp(
  `[a-z][a-z0-9+.-]*://\\S*|www\\.\\S*|(?<!\\p{L}/|\\d)(?:\\d{1,3}\\.){3}\\d{1,3}(?:[:/]\\S*)?|` +
    `(?<![\\p{L}\\p{N}@])(?:[\\p{L}\\p{N}-]+[.。．])+(?:${endings}|xn--[a-z0-9-]+)(?:(?=[:/?#])\\S*|(?![\\p{L}\\p{N}@-]|[.][\\p{L}\\p{N}]))`,
  'giu',
)

// Initials and abbreviations end like hosts of countries: "J.de Boer", "e.K.", "St.Li".
const isInitial = (found: string) => /^[\p{L}]{1,2}\.[\p{L}]{2}$/u.test(found)

/** The links in a text, without the punctuation behind them. */
const linksIn = (text: string): string[] =>
  [...text.normalize('NFKC').matchAll(link)].flatMap(([found]) => (isInitial(found) ? [] : [bare(found)]))

const bare = (found: string) => found.replace(/\p{P}+$/u, '')

/** True for a text with a part that a mail program would make a link of. */
export const hasLink = (text: string): boolean => linksIn(text).length > 0

/**
 * Returns the text with its links made readable, but no links any more: `https://shop.example.com` becomes `shop[.]example[.]com`. Links that
 * the words of `own` have stay.
 */
export function withoutLinks(text: string, own: readonly string[] = []): string {
  const kept = new Set(own.flatMap(linksIn))
  if (linksIn(text).every((found) => kept.has(found))) return text
  return text
    .normalize('NFKC')
    .replaceAll(link, (found) =>
      isInitial(found) || kept.has(bare(found))
        ? found
        : found.replace(/^[a-z][a-z0-9+.-]*:\/\//iu, '').replaceAll(/[.。．](?=[\p{L}\p{N}])/gu, '[.]'),
    )
}
