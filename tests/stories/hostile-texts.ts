import fc from 'fast-check'

/** The script in the texts of attackers, which sets `window.ran` if it runs. Elements that load something are noticed by their requests. */
const ran = 'window.ran=1'
const elements = [
  `<script>${ran}</script>`,
  `<img src=x onerror=${ran}>`,
  `<svg onload=${ran}>`,
  `<svg><script>${ran}</script></svg>`,
  `<iframe srcdoc="<script>parent.${ran}</script>"></iframe>`,
  `<iframe src="javascript:parent.${ran}">`,
  `<body onload=${ran}>`,
  `<details open ontoggle=${ran}>`,
  `<video><source onerror=${ran}></video>`,
  `<input autofocus onfocus=${ran}>`,
  `<a href="javascript:${ran}">click</a>`,
  `<form action="javascript:${ran}"><button>go</button></form>`,
  `<object data="data:text/html,<script>${ran}</script>"></object>`,
  `<embed src="javascript:${ran}">`,
  `<math><mtext></mtext><mglyph><style><img src=x onerror=${ran}></style></mglyph></math>`,
  `<noscript><p title="</noscript><img src=x onerror=${ran}>">`,
  `<style>*{display:none}</style>`,
  `<link rel=stylesheet href=https://evil.example/x.css>`,
  `<meta http-equiv=refresh content="0;url=https://evil.example">`,
  `<base href="https://evil.example/">`,
  `"><img src=x onerror=${ran}>`,
  `'-${ran}-'`,
  `</textarea><script>${ran}</script>`,
  `--><script>${ran}</script>`,
  `]]><script>${ran}</script>`,
  `\u003cscript\u003e${ran}\u003c/script\u003e`,
  `&lt;img src=x onerror=${ran}&gt;`,
  `<scr\u0000ipt>${ran}</scr\u0000ipt>`.replaceAll('\u0000', '\u200B'),
  `{{constructor.constructor('${ran}')()}}`,
  '${' + ran + '}',
  `<x style="background:url(https://evil.example/x)">`,
  `<div style="position:fixed;inset:0;z-index:9999">over it all</div>`,
]

const addresses = [
  `javascript:${ran}`,
  `JaVaScRiPt:${ran}`,
  `java\tscript:${ran}`,
  `java&#10;script:${ran}`,
  `\u0001javascript:${ran}`,
  ` javascript:${ran}`,
  `javascript://example.com/%0a${ran}`,
  `data:text/html,<script>${ran}</script>`,
  `data:image/svg+xml,<svg onload=${ran}>`,
  `vbscript:${ran}`,
  `blob:https://example.com/1`,
  `file:///etc/passwd`,
  `//evil.example`,
  `/account/logout`,
  `\\\\evil.example\\x`,
  `https:evil.example`,
  `https://bank.example@evil.example/`,
  `https://evil.example/"onmouseover=${ran}//`,
  `mailto:a@example.com?body=<script>${ran}</script>`,
  `https://xn--80ak6aa92e.com/`,
]

const links = addresses.flatMap((address) => [
  `[click](${address})`,
  `[click](<${address}>)`,
  `<${address}>`,
  `![picture](${address})`,
  `[click][x]\n\n[x]: ${address} "title"`,
  `[https://bank.example/login](${address})`,
])

const heavy = [
  'x'.repeat(19_000),
  'W'.repeat(3_000),
  '\u202Eright to left override \u202Emoc.elpmaxe',
  '\u2067\u202E\u2066'.repeat(500),
  'السلام عليكم'.repeat(100),
  `a${'\u0300\u0489\u20DD'.repeat(300)}b`,
  'Z̷̗̀͘a̸̱͋l̴̰̄g̶̖͠o̵̮͝'.repeat(100),
  '😀👩‍👩‍👧‍👦🏳️‍🌈'.repeat(200),
  '\u200B\u200C\u200D\uFEFF'.repeat(1_000),
  '\u2028\u2029\u0085'.repeat(50),
  `${'> '.repeat(1_000)}deep`,
  `${'- '.repeat(500)}deep`,
  `${'*'.repeat(5_000)}x`,
  `${'['.repeat(3_000)}x`,
  `${'`'.repeat(3_000)}x`,
  '**a '.repeat(1_000),
  '[a]('.repeat(1_000),
  `| ${'a | '.repeat(300)}\n| ${'- | '.repeat(300)}`,
  `\`\`\`\n${'y'.repeat(5_000)}\n\`\`\``,
  '\n'.repeat(5_000) + 'far below',
  '# '.repeat(300),
  'https://example.com/'.repeat(300),
  '\t'.repeat(2_000) + 'x',
  '&amp;'.repeat(1_000),
  '%00%0d%0aSet-Cookie:x=1',
  "'; drop table tickets; --",
  '../../../etc/passwd',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  '=cmd|calc',
]

/**
 * Returns `count` hostile texts: first the known ones (the HTML elements also within Markdown), then texts that a generator makes of
 * their parts.
 */
export function hostileTexts(count: number, seed: number): string[] {
  const known = [...elements, ...links, ...heavy, ...elements.flatMap(wrapped)]
  const parts = fc.array(
    fc.oneof(
      fc.constantFrom(...elements, ...addresses, ...links),
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom(
        '**',
        '_',
        '~~',
        '`',
        '```\n',
        '\n',
        '> ',
        '- ',
        '1. ',
        '[',
        '](',
        ')',
        '<',
        '>',
        '&',
        '\\',
        '|',
        '\u202E',
        '\u0300',
      ),
    ),
    { minLength: 1, maxLength: 12 },
  )
  const made = fc.sample(
    parts.map((chosen) => chosen.join('')),
    { numRuns: count, seed },
  )
  return [...known, ...made].filter((text) => text.trim() !== '').slice(0, count)
}

const wrapped = (text: string) => [
  `**${text}**`,
  `> ${text}`,
  `- ${text}`,
  `[${text}](https://example.com)`,
  `\`\`\`\n${text}\n\`\`\``,
]
