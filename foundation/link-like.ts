// Mail programs make links of words that only look like one. The attack is a person or a server that is called by a web address: our mail
// to somebody else would carry the link as if we had written it.

const endings =
  'com|net|org|info|biz|name|pro|mobi|xyz|top|site|online|shop|store|app|page|link|click|live|club|vip|work|icu|fun|space|website|' +
  'tech|cloud|agency|digital|news|blog|world|today|email|support|help|services|solutions|group|company|center|network|zone|finance|bank|' +
  'money|pay|promo|sale|win|bid|loan|download|stream|host|hosting|domains|login|security|онлайн|сайт|москва|дети|орг|[a-z]{2}|рф|бел|укр'

/** A scheme, `www.`, or a host whose ending is one of a country or a common one; in its parts are letters of any script. No address. */
const link = new RegExp(
  `[a-z][a-z0-9+.-]*://\\S*|www\\.\\S*|(?:\\d{1,3}\\.){3}\\d{1,3}(?:[:/]\\S*)?|` +
    `(?<![\\p{L}\\p{N}@])(?:[\\p{L}\\p{N}-]+[.。．])+(?:${endings}|xn--[a-z0-9-]+)(?:(?=[:/?#])\\S*|(?![\\p{L}\\p{N}@-]|[.][\\p{L}\\p{N}]))`,
  'giu',
)

// Initials and abbreviations end like hosts of countries: "J.de Boer", "e.K.", "St.Li".
const isInitial = (found: string) => /^[\p{L}]{1,2}\.[\p{L}]{2}$/u.test(found)

/** True for a text with a part that a mail program would make a link of. */
export const hasLink = (text: string): boolean =>
  [...text.normalize('NFKC').matchAll(link)].some(([found]) => !isInitial(found))

/** Returns the text with its links made readable, but no links any more: `https://shop.example.com` becomes `shop[.]example[.]com`. */
export const withoutLinks = (text: string): string =>
  hasLink(text)
    ? text
        .normalize('NFKC')
        .replaceAll(link, (found) =>
          isInitial(found)
            ? found
            : found.replace(/^[a-z][a-z0-9+.-]*:\/\//iu, '').replaceAll(/[.。．](?=[\p{L}\p{N}])/gu, '[.]'),
        )
    : text
